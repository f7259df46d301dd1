"""Documents as knowledge: reading files of any format, cutting them into chunks, and the words and scores of a search.

Everything here is pure: content in, values out. `reading` turns a file into an `Extracted` text with blocks, `chunks` cuts it
along its structure, `articles` reads references such as 제47조의2제1항. Storage and agents build on it.
"""
