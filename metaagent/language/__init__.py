"""Grammar that every message needs: Korean particles by sound, counters by what is counted.

`particles` chooses 은/는, 이/가, 을/를, 과/와 and 으로/로; `counters` chooses 명, 곳, 건, 개, 회 and English plurals.
"""
