# Rscript rpart_surrogates.R table.csv: the nodes of an rpart tree of the column y, and the surrogates of its splits.
# Prints a line a node: "node <number> <class counts>", then "split <column>", then "surrogate <column> <agreement>".
suppressMessages(library(rpart))
table <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE, na.strings = "")
table$y <- as.factor(table$y)
# a cp below 0 keeps splits that change no prediction
rules <- rpart.control(minsplit = 20, minbucket = 10, maxdepth = 3, cp = -1, xval = 0, maxcompete = 0, maxsurrogate = 5)
model <- rpart(y ~ ., table, method = "class", parms = list(split = "information"), control = rules)
n_classes <- nlevels(table$y)
place <- 0
for (row in seq_len(nrow(model$frame))) {
  node <- model$frame[row, ]
  cat("node", rownames(model$frame)[row], node$yval2[1 + seq_len(n_classes)], "\n")
  if (node$var == "<leaf>") next
  place <- place + 1
  cat("split", as.character(node$var), "\n")
  for (k in seq_len(node$nsurrogate)) {
    place <- place + 1
    cat("surrogate", rownames(model$splits)[place], sprintf("%.12f", model$splits[place, "improve"]), "\n")
  }
}
