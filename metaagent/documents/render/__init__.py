"""Renderers: the model as PDF, DOCX, XLSX, HWPX, Markdown and HTML, each a function of a document to bytes without a clock."""
