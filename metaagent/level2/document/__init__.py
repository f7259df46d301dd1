"""Documents: fills a template from the turn's artifacts and what the person says, renders it, and changes earlier versions."""
