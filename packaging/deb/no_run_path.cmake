# SPDX-License-Identifier: Apache-2.0
# cmake -DFILE= -P no_run_path.cmake: removes the run path of a program.
file(RPATH_REMOVE FILE ${FILE})
