"""The laboratory of petree: the papers' experiments, comparisons of methods, and all benchmarks. It is not installed.

reproduce       the papers' experiments beside their numbers: python -m lab.reproduce cw488
compare         methods side by side on tables of your own: python -m lab.compare data.csv --target class --out folder
papers          the experiments of each paper, one folder per paper, with the printed numbers
experiments     the engine: data sets, trials, a results file that grows, summaries, tables and figures
statistics      ranks, significance tests, resampling
speed           fits beside other tree learners, and beside another version of petree
costs           what parts of petree cost by themselves: scores, smoothings, exports, explanations, sizes of tables
choices         alternatives side by side in bits: averages, missing values, categories, directions
quality         how good the probabilities are, beside other single trees
intervals       how often intervals contain the true probabilities
rare            probabilities of rare classes, on tasks made from the tables
pruning, noise  time of the pruning criteria, and what they keep where there is nothing to keep
relational      trees over several tables: speed, quality, and tables that stay in their database
scale           data in parts: time, memory, clusters, beside other libraries
same_models     whether two versions learn the same models
"""
