"""Two passes over data of any size: where numbers are cut and which categories there are; then codes into files."""
