"""Speed, quality and costs of petree, measured beside other libraries: python -m benchmarks.speed.fit

Every room has its subject; what several share stands here: pages, tables and verdicts.

speed           fits beside other tree learners, and beside another version of petree
costs           what parts of petree cost by themselves: scores, smoothings, exports, explanations, sizes of tables
choices         ways to do a thing, side by side in bits: averages, missing values, categories, directions
quality         how good the probabilities are, beside other single trees
rare            one rare class against the rest, beside other single trees
intervals       how often intervals contain the true probabilities
pruning, noise  time of the pruning criteria, and what they keep where there is nothing to keep
relational      trees over several tables: speed, quality, and tables that stay in their database
scale           data in parts: time, memory, clusters, beside other libraries
same_models     whether two versions learn the same models
"""
