"""Documents: the one model of a document, templates that say how one is filled, renderers for each format, differences between
two versions, and the way back from an edited file. Pure: values in, values and bytes out."""
