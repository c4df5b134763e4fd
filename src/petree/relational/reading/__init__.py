"""Trees over several tables for people: as sentences, as SQL, as Prolog rules."""
