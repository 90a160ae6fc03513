"""Tests of Jiritsu, in the shape of the packages they test."""
