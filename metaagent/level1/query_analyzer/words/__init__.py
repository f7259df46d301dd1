"""The words of a question: normalised, cut, corrected and looked up, in Korean and English."""
