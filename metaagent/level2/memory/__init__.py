"""The memory agent: it remembers, corrects, forgets and shows what is known of the person, at the person's request."""
