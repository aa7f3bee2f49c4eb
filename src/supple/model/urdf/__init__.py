"""Robots of URDF and MJCF files: their elements become the words of a model file.

file -> elements with places (`xml_tree`) -> words (`read_urdf`, `mjcf_words`)
     -> bent links (`bend`) -> the same build as every other model
"""
