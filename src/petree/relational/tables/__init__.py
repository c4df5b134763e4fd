"""Tables as relations: from data frames and databases, with their keys and links, and back."""
