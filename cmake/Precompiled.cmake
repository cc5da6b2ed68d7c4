# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every file of a kind reads are compiled once: LibTorch's take 4 to 7 s a file, and two cores
# build some 500 files. Sources still include all that they name; tests/tree/compile_alone.py shows it.

option(BINADE_PRECOMPILE "Compile the heavy headers of LibTorch and Qt once" ON)

# binade_precompiled(<target> <kind>): the target's files start from the headers in precompiled/<kind>.h.
function(binade_precompiled target kind)
  if(NOT BINADE_PRECOMPILE)
    return()
  endif()
  set(host precompiled_${kind})
  if(NOT TARGET ${host})
    # CMake compiles headers for a target's sources only, and a target wants one.
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${host}.cpp CONTENT "// Only to have a source.\n")
    add_library(${host} OBJECT ${PROJECT_BINARY_DIR}/${host}.cpp)
    if(kind MATCHES torch)
      target_link_libraries(${host} PRIVATE torch::cpu)
    endif()
    if(kind MATCHES qt)
      target_link_libraries(${host} PRIVATE Qt6::Widgets)
      target_compile_definitions(${host} PRIVATE QT_NO_KEYWORDS)
    endif()
    if(kind MATCHES test)
      target_link_libraries(${host} PRIVATE Qt6::Test Qt6::Widgets)
      target_compile_definitions(${host} PRIVATE QT_NO_KEYWORDS)
    else()
      target_compile_definitions(${host} PRIVATE $<$<STREQUAL:${kind},qt>:QT_NO_CAST_FROM_ASCII>
        $<$<STREQUAL:${kind},qt>:QT_NO_CAST_TO_ASCII>)
    endif()
    target_link_libraries(${host} PRIVATE binade_warnings)
    target_precompile_headers(${host} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${kind}.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${host})
endfunction()
