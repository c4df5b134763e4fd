"""Whether one method is better than another: ranks, significance tests, resampling."""
