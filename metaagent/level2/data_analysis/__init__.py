"""The data analysis agent: runs a semantic query and says what its figures mean.

`agent` does both, `view` is the result as people read it, `statistics` computes on it (`results` has the shapes of its
answers), `findings` and `insights*` find what is worth saying, `headline` and `sentence` say it in Korean and English,
`charts` and `chart_*` draw it.
"""
