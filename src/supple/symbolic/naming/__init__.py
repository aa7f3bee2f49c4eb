"""Names for everything in the equations.

named_graph        the graph whose inputs have names, values and meanings
coordinate_names   theta1, v2_1, ...: coordinates and rates
link_namer         m1, L2, e2_v1v1, ...: what a link is made of
link_facts         what a link was made of
"""
