"""Questions that go on with the turn before: what a short question takes over, what words such as those, 거기 or the second one
mean, and what it changes in the request before.
"""
