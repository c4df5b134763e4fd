"""Class probabilities from a model file alone, as docs/model-files.md tells: without petree, and without numpy."""

import math

FAILS = {"<": lambda x, value: x >= value, "=": lambda x, value: x != value, "in": lambda x, value: x not in value}


class PlainModel:
    def __init__(self, data):
        self.columns, self.voices = data["columns"], data["answers"]
        nodes, n_classes = data["tree"]["nodes"], len(data["classes"]["labels"])
        weights, self.splits = [sum(row[:n_classes]) for row in nodes], [[] for _ in nodes]
        rates = zip(data.get("base_rates", nodes[0]), nodes[0][:n_classes], strict=False)
        self.factors = [rate / count if count else 1.0 for rate, count in rates]
        children = iter(data["tree"].get("children", range(1, len(nodes))))
        for node, row in enumerate(nodes):
            for test in row[n_classes:]:
                is_seen = len(test) > 2 + (test[0] in FAILS)
                arity = len(self.columns[test[1]]["categories"]) + is_seen if test[0] == "each" else 2
                own = [next(children) for _ in range(arity)]
                total = sum(weights[child] for child in own)
                shares = [weights[child] / total if total > 0 else 1 / arity for child in own]
                self.splits[node].append((test, own, shares, test[-1] if is_seen else None))

    def probabilities(self, row):
        known = [column.get("categories") for column in self.columns]
        codes = [x if x is None or own is None else self.code(x, own) for x, own in zip(row, known, strict=True)]
        means = [(voice["weight"], self.blend(codes, voice)) for voice in self.voices]
        moved = [sum(weight * mean[c] for weight, mean in means) * own for c, own in enumerate(self.factors)]
        return [one / sum(moved) for one in moved]

    def code(self, value, categories):
        return categories.index(value) if value in categories else math.inf

    def branch(self, codes, test, missing):
        """The branch of a row, or None where it is stuck."""
        x = codes[test[1]]
        if test[0] == "missing":
            return int(x is not None)
        if x is None or x == math.inf:
            return missing if x is None else None
        return x if test[0] == "each" else int(FAILS[test[0]](x, test[2]))

    def blend(self, codes, voice):
        """The mean of what nodes say, by how much comes to each; children have higher numbers than their parents."""
        factor, doubt, least = voice.get("factor", 0.0), voice.get("doubt", 0.0), voice.get("least_weight", 0.0)
        go, ends = iter(voice.get("go", [1.0] * len(self.splits))), [0.0] * len(self.splits)
        mass = [1.0] + [0.0] * (len(self.splits) - 1)
        for node, splits in enumerate(self.splits):
            stay = voice["stay"][node] if voice["rule"] == "options" else float(not splits)
            ends[node] += mass[node] * stay
            for test, children, shares, missing in splits:
                taken = self.branch(codes, test, missing)
                part = mass[node] * next(go)
                for place, (child, share) in enumerate(zip(children, shares, strict=True)):
                    own = share if taken is None else float(place == taken)
                    say = part * (factor + (1 - factor) * own) * (1 - doubt) + part * doubt * share
                    (mass if place == taken or say >= least else ends)[child] += say
        return [sum(end * own[c] for end, own in zip(ends, voice["probabilities"], strict=True)) / sum(ends)
                for c in range(len(voice["probabilities"][0]))]  # fmt: skip
