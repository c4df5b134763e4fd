"""Where rows come from: folders of files, lazy frames, queries and batches, as pieces that can be read in any order."""
