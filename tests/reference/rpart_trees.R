# Rscript rpart_trees.R table.csv minbucket cp: rpart's tree of the column y, with minbucket rows in each leaf, pruned at cp.
# Prints a line a node: "node <column> <class counts>", and for each row "row <probability of its class>".
suppressMessages(library(rpart))
arguments <- commandArgs(TRUE)
table <- read.csv(arguments[1], stringsAsFactors = TRUE, na.strings = "")
table$y <- as.factor(table$y)
least <- as.integer(arguments[2])
cp <- as.numeric(arguments[3])
# a cp below 0 keeps splits that change no prediction
rules <- rpart.control(minsplit = 2, minbucket = least, cp = -1, xval = 0, maxcompete = 0, maxdepth = 30)
model <- rpart(y ~ ., table, method = "class", parms = list(split = "gini"), control = rules)
if (cp > 0) model <- prune(model, cp = cp)
classes <- seq_len(nlevels(table$y))
for (row in seq_len(nrow(model$frame))) {
  cat("node", as.character(model$frame$var[row]), model$frame$yval2[row, 1 + classes], "\n")
}
answers <- predict(model, table)
cat(sprintf("row %.12f\n", answers[cbind(seq_len(nrow(table)), as.integer(table$y))]), sep = "")
