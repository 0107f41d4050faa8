"""What setup.cfg cannot say: the packages are those below src, and metrics/ travels as the data of one more."""

from setuptools import find_packages, setup

setup(packages=[*find_packages("src"), "tricord.metric_modules"])
