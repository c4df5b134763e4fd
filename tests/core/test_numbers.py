"""Logarithms, powers and the gamma function against decimal arithmetic of 60 digits, in units of the last place."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from petree.core import numbers

Floats = NDArray[np.float64]
DIGITS = 60


def apply(name: str, values: Floats) -> Floats:
    results = np.empty_like(values)
    getattr(numbers, name)(values, results)
    return results


def largest_error(name: str, oracle: Callable[[Decimal], Decimal], values: Floats) -> float:
    """In units of the last place of the true result."""
    with localcontext() as context:
        context.prec = DIGITS
        results = zip(values.tolist(), apply(name, values).tolist(), strict=True)
        return max(_error(oracle(Decimal(value)), result) for value, result in results)


def _error(truth: Decimal, result: float) -> float:
    return float(abs(Decimal(result) - truth) / Decimal(math.ulp(float(truth))))


def binary_log(x: Decimal) -> Decimal:
    return x.ln() / _ln2()


@cache
def _ln2() -> Decimal:
    with localcontext() as context:
        context.prec = DIGITS
        return Decimal(2).ln()


@cache
def _half_log_two_pi() -> Decimal:
    """Machin's formula for pi."""
    with localcontext() as context:
        context.prec = DIGITS
        pi = 16 * _arcus_of_inverse(5) - 4 * _arcus_of_inverse(239)
        return (2 * pi).ln() / 2


def _arcus_of_inverse(n: int) -> Decimal:
    return sum((Decimal((-1) ** k) / ((2 * k + 1) * Decimal(n) ** (2 * k + 1)) for k in range(60)), Decimal(0))


@cache
def _bernoulli() -> list[Decimal]:
    """B_2, B_4, ... as decimals."""
    found = [Fraction(1)]
    for n in range(1, 61):
        found.append(-sum((math.comb(n + 1, k) * found[k] for k in range(n)), Fraction(0)) / (n + 1))
    return [Decimal(each.numerator) / Decimal(each.denominator) for each in found[2::2]]


def log_gamma(x: Decimal) -> Decimal:
    """Stirling's series far out, where its terms fall below 60 digits, and back by the product of what lies between."""
    product = Decimal(1)
    while x < 60:
        product *= x
        x += 1
    series = sum((b / (2 * k * (2 * k - 1) * x ** (2 * k - 1)) for k, b in enumerate(_bernoulli(), 1)), Decimal(0))
    return (x - Decimal("0.5")) * x.ln() - x + _half_log_two_pi() + series - product.ln()


def random_values(*kinds: Floats) -> Floats:
    return np.concatenate(kinds)


RANDOM = np.random.default_rng(20)
EVERYWHERE = np.exp(RANDOM.uniform(-700, 700, 1500))
WHOLE = np.arange(2.0, 600.0)
SHARES = RANDOM.uniform(0, 1, 1000)
FAR_FROM_ONE = random_values(EVERYWHERE, WHOLE, SHARES[np.abs(SHARES - 1) > 0.1], np.array([5e-324, 1e-310, 1.7e308]))
NEAR_ONE = 1 + RANDOM.uniform(-1, 1, 1000) * 2.0 ** -RANDOM.integers(3, 40, 1000)


@pytest.mark.parametrize(("name", "oracle"), [("binary_log", binary_log), ("natural_log", Decimal.ln)])
def test_logarithms_are_the_nearest_numbers_or_almost(name: str, oracle: Callable[[Decimal], Decimal]) -> None:
    assert largest_error(name, oracle, FAR_FROM_ONE) < 0.55
    assert largest_error(name, oracle, NEAR_ONE) < 1


def test_powers_are_the_nearest_numbers_or_almost() -> None:
    values = random_values(RANDOM.uniform(-700, 709, 2000), RANDOM.normal(size=1000), RANDOM.normal(0, 1e-5, 300))
    assert largest_error("power_of_e", Decimal.exp, values) < 0.55


def test_powers_that_are_almost_nothing_are_right_to_the_smallest_number() -> None:
    values = np.linspace(-745, -708, 400)
    with localcontext() as context:
        context.prec = DIGITS
        truths = [Decimal(value).exp() for value in values.tolist()]
    results = apply("power_of_e", values).tolist()
    assert all(_error(truth, result) <= 1 for truth, result in zip(truths, results, strict=True))


def test_the_gamma_function_is_right_to_a_few_units() -> None:
    values = random_values(RANDOM.uniform(2.5, 40, 500), RANDOM.uniform(0, 0.5, 300), 10 ** RANDOM.uniform(1, 15, 300))
    assert largest_error("log_gamma", log_gamma, values) < 3


def test_the_gamma_function_near_its_zeros_errs_by_little() -> None:
    """At 1 and 2 the logarithm is 0: what counts there is the difference itself."""
    values = np.linspace(0.5, 2.5, 401)
    with localcontext() as context:
        context.prec = DIGITS
        truths = [float(log_gamma(Decimal(value))) for value in values.tolist()]
    np.testing.assert_allclose(apply("log_gamma", values), truths, rtol=1e-15, atol=1e-15)


def test_whole_powers_of_two_have_whole_logarithms() -> None:
    exponents = np.arange(-1074, 1024)
    np.testing.assert_array_equal(apply("binary_log", np.ldexp(1.0, exponents)), exponents)


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("binary_log", 0.0, -math.inf),
        ("natural_log", 0.0, -math.inf),
        ("natural_log", -0.0, -math.inf),
        ("natural_log", -1.0, math.nan),
        ("binary_log", -math.inf, math.nan),
        ("binary_log", math.inf, math.inf),
        ("natural_log", math.nan, math.nan),
        ("natural_log", 1.0, 0.0),
        ("power_of_e", 0.0, 1.0),
        ("power_of_e", -math.inf, 0.0),
        ("power_of_e", math.inf, math.inf),
        ("power_of_e", 709.9, math.inf),
        ("power_of_e", -746.0, 0.0),
        ("power_of_e", math.nan, math.nan),
        ("log_gamma", 0.0, math.inf),
        ("log_gamma", math.inf, math.inf),
        ("log_gamma", -1.0, math.nan),
        ("log_gamma", math.nan, math.nan),
    ],
)
def test_values_at_the_edges(name: str, value: float, result: float) -> None:
    np.testing.assert_array_equal(apply(name, np.array([value])), [result])
