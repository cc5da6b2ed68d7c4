# SPDX-License-Identifier: Apache-2.0
# Imported targets for LibTorch as laid out in the wheel. find_package(Torch) is not used: with a CUDA wheel it requires
# a CUDA toolkit, fails on CMake 3.25 with C++20, and links the toolkit's nvrtc by path.
# Input: BINADE_LIBTORCH, a folder with lib/ and include/ (default: the one that ./dev unpacks into .deps).

set(BINADE_LIBTORCH "$ENV{BINADE_LIBTORCH}" CACHE PATH "LibTorch 2.11: the folder with lib/ and include/")
if(NOT BINADE_LIBTORCH)
  set(BINADE_LIBTORCH "${PROJECT_SOURCE_DIR}/.deps/torch" CACHE PATH "" FORCE)
endif()
if(NOT EXISTS "${BINADE_LIBTORCH}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "No LibTorch in ${BINADE_LIBTORCH}. Run ./dev setup, or set BINADE_LIBTORCH to an existing LibTorch 2.11.")
endif()
file(STRINGS "${BINADE_LIBTORCH}/include/torch/headeronly/version.h" _torch_version
     REGEX "define TORCH_VERSION_(MAJOR|MINOR) ")
if(NOT _torch_version MATCHES "MAJOR 2;.*MINOR 11")
  message(FATAL_ERROR "Binade needs LibTorch 2.11; ${BINADE_LIBTORCH} says: ${_torch_version}")
endif()

function(_binade_torch target file)
  add_library(torch::${target} SHARED IMPORTED GLOBAL)
  # NDEBUG is part of the wheel's ABI: at::RecordFunction has a member that exists only without it.
  set_target_properties(torch::${target} PROPERTIES
    IMPORTED_LOCATION "${BINADE_LIBTORCH}/lib/${file}"
    INTERFACE_INCLUDE_DIRECTORIES "${BINADE_LIBTORCH}/include;${BINADE_LIBTORCH}/include/torch/csrc/api/include"
    INTERFACE_COMPILE_DEFINITIONS "_GLIBCXX_USE_CXX11_ABI=1;NDEBUG")
endfunction()
_binade_torch(c10 libc10.so)
_binade_torch(cpu libtorch_cpu.so)
target_link_libraries(torch::cpu INTERFACE torch::c10)
# libtorch_cpu finds libcudart and libcupti through its own run path; the linker needs a hint.
file(GLOB _nvidia LIST_DIRECTORIES true "${BINADE_LIBTORCH}/../nvidia/*/lib")
foreach(folder IN LISTS _nvidia)
  target_link_options(torch::c10 INTERFACE "LINKER:-rpath-link,${folder}")
endforeach()
