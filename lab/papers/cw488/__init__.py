"""CW488 (Fierens, Ramon, Blockeel and Bruynooghe 2007)."""
