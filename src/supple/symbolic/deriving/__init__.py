"""From a robot to its equations.

derive                 supple.equations: the whole way
robot_in_symbols       every link with named constants
beam, beam_moments     a beam's points and moments in symbols
moments_as_constants   where no names are known; and whether names give what the recursion uses
passive_forces         springs, dampers, friction, stiffness of shapes
motion                 M, D and G from the energies
coriolis               D of an M that is given in SymPy
"""
