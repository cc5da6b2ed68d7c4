# SPDX-License-Identifier: Apache-2.0
# Compiles headers that nearly every file of a kind includes once: LibTorch's take 4 to 7 s per file, and there are some
# 500 files. Sources still include everything they name; tests/tree/compile_alone.py checks that.

option(BINADE_PRECOMPILE "Compile the heavy headers of LibTorch and Qt once" ON)

# binade_precompiled(<target> <kind>): precompiles the headers in precompiled/<kind>.h for the target's files.
function(binade_precompiled target kind)
  if(NOT BINADE_PRECOMPILE)
    return()
  endif()
  set(host precompiled_${kind})
  set(qt_modules_qt Widgets)
  set(qt_modules_qt_gui Gui)
  if(NOT TARGET ${host})
    # CMake precompiles headers only for a target that has a source.
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${host}.cpp CONTENT "// Only to have a source.\n")
    add_library(${host} OBJECT ${PROJECT_BINARY_DIR}/${host}.cpp)
    if(kind MATCHES torch)
      target_link_libraries(${host} PRIVATE torch::cpu)
    endif()
    if(kind MATCHES qt)
      target_link_libraries(${host} PRIVATE Qt6::${qt_modules_${kind}})
      target_compile_definitions(${host} PRIVATE QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII)
    endif()
    if(kind MATCHES test)
      target_link_libraries(${host} PRIVATE Qt6::Test Qt6::Widgets)
      target_compile_definitions(${host} PRIVATE QT_NO_KEYWORDS)
      target_compile_options(${host} PRIVATE ${BINADE_TEST_OPTIONS})
    endif()
    target_link_libraries(${host} PRIVATE binade_warnings)
    target_precompile_headers(${host} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${kind}.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${host})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)  # as the header was compiled; CMake gives programs -fPIE
  endif()
endfunction()
