"""F05 (Fierens, Ramon, Blockeel and Bruynooghe 2005)."""
