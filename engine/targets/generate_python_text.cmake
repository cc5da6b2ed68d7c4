# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=<file> -DIN=<file.py> -P generate_python_text.cmake
# Writes a Python file, without its licence line, as one raw string literal of C++.

file(READ "${IN}" text)
string(REPLACE "# SPDX-License-Identifier: Apache-2.0\n" "" text "${text}")
string(FIND "${text}" ")PYTHON\"" mark)
if(NOT mark EQUAL -1)
  message(FATAL_ERROR "${IN} contains the end mark of the literal")
endif()
file(WRITE "${OUT}" "R\"PYTHON(${text})PYTHON\"\n")
