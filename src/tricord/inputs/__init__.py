"""Untrusted input as Python values, whatever it comes in: text, CSV, JSON, columns; every fault named with its place."""
