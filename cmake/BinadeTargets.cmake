# SPDX-License-Identifier: Apache-2.0
# How a folder becomes a target. One folder is one library binade_<name>; its tests are one executable tst_<name>.

option(BINADE_DEVELOPER "Warnings are errors" OFF)
set(BINADE_SANITIZE "" CACHE STRING "Value for -fsanitize=, empty for none")
set(BINADE_DEBUG_INFO "-g1" CACHE STRING "Debug information of RelWithDebInfo builds (-g0 where nobody debugs)")

# Most of a compilation is headers: compiling six files of a target as one takes a fifth of the time. Files of a target
# therefore share their unnamed namespaces; tests/tree/compile_alone.py shows that each still includes what it names.
option(BINADE_UNITY "Compile several files of a target at once (OFF suits editors, which read compile_commands.json)" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)

set(BINADE_OPTIMISE -O2)
if(BINADE_SANITIZE)
  set(BINADE_OPTIMISE -O1)  # compiles faster
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${BINADE_OPTIMISE} ${BINADE_DEBUG_INFO}")
if(BINADE_DEVELOPER)
  # An index out of range or a null reference into a container ends the test that met it, in every file alike.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

find_program(BINADE_CCACHE ccache)
if(BINADE_CCACHE)
  # The base folder makes compiler calls relative, so that a clone elsewhere finds what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${BINADE_CCACHE})
  # ccache sees which precompiled header a file read only where the preprocessor says so.
  add_compile_options(-fpch-preprocess)
endif()
find_program(BINADE_MOLD mold)
if(BINADE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# LibTorch headers need up to 1.4 GB a file: never more than two at once.
set_property(GLOBAL PROPERTY JOB_POOLS torch_compile=2)

add_library(binade_warnings INTERFACE)
target_compile_options(binade_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
  $<$<BOOL:${BINADE_DEVELOPER}>:-Werror>)
if(BINADE_SANITIZE)
  # GCC takes what the sanitizers add to <regex> for reads of values that were not set. LibTorch does not export all of the
  # type information that checks of virtual calls read.
  target_compile_options(binade_warnings INTERFACE -fsanitize=${BINADE_SANITIZE} -fno-sanitize=vptr
    -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(binade_warnings INTERFACE -fsanitize=${BINADE_SANITIZE})
endif()

# moc 6.4 cannot read libstdc++'s <concepts>: its include guard keeps moc, and only moc, out of it.
set(CMAKE_AUTOMOC_MOC_OPTIONS -D_GLIBCXX_CONCEPTS)

# binade_library(<name> SOURCES <files...> [PUBLIC <libraries...>] [PRIVATE <libraries...>] [TORCH] [QT])
function(binade_library name)
  cmake_parse_arguments(ARG "TORCH;QT" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(binade_${name} STATIC ${ARG_SOURCES})
  add_library(Binade::${name} ALIAS binade_${name})
  set_target_properties(binade_${name} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD ${BINADE_UNITY})
  target_compile_features(binade_${name} PUBLIC cxx_std_20)
  target_include_directories(binade_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/binade>)
  target_link_libraries(binade_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:binade_warnings>)
  if(ARG_TORCH)
    target_link_libraries(binade_${name} PUBLIC $<BUILD_INTERFACE:torch::cpu>)
    set_target_properties(binade_${name} PROPERTIES JOB_POOL_COMPILE torch_compile)
    binade_precompiled(binade_${name} torch)
  endif()
  if(ARG_QT)
    binade_precompiled(binade_${name} qt)
    set_target_properties(binade_${name} PROPERTIES AUTOMOC ON AUTORCC ON)
    # The casts are the library's own affair: tests start from a precompiled header of their own without them.
    target_compile_definitions(binade_${name} PUBLIC QT_NO_KEYWORDS PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII)
  endif()
endfunction()

# binade_inner_loops(<files...>): files whose loops the compiler vectorises. Each is compiled alone. Under the sanitizers
# their level stays that of the precompiled header: GCC 12 crashes where it differs.
function(binade_inner_loops)
  set_source_files_properties(${ARGN} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT BINADE_SANITIZE)
    set_source_files_properties(${ARGN} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} PROPERTIES COMPILE_OPTIONS "-O3")
  endif()
endfunction()

# Qt wants a runtime folder that only its user can read.
set(BINADE_TEST_RUNTIME ${CMAKE_BINARY_DIR}/runtime)
file(MAKE_DIRECTORY ${BINADE_TEST_RUNTIME})
file(CHMOD ${BINADE_TEST_RUNTIME} DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# What the sanitizers run: the tests that need neither LibTorch nor a GUI event loop, label `plain`, and journeys through
# the window with the engine behind it, label `journey`.
add_custom_target(sanitized_tests)

# binade_test(<name> SOURCES <files...> LIBS <libraries...> SUITES <classes...> [LABELS <labels...>] [TORCH] [TIMEOUT <s>])
# One executable tst_<name>; each suite (a QObject registered with BINADE_SUITE) is the ctest test <name>.<Suite>.
function(binade_test name)
  cmake_parse_arguments(ARG "TORCH" "TIMEOUT" "SOURCES;LIBS;SUITES;LABELS" ${ARGN})
  add_executable(tst_${name} ${ARG_SOURCES})
  set_target_properties(tst_${name} PROPERTIES AUTOMOC ON UNITY_BUILD ${BINADE_UNITY})
  # A batch is no header: its types of unnamed namespaces are met once.
  target_compile_options(tst_${name} PRIVATE -Wno-subobject-linkage)
  target_compile_definitions(tst_${name} PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(tst_${name} PRIVATE ${ARG_LIBS} binade_test_support binade_warnings)
  if(ARG_TORCH)
    get_target_property(BINADE_MOC Qt6::moc IMPORTED_LOCATION)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/moc-of-ours.in ${CMAKE_BINARY_DIR}/moc-of-ours @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set_target_properties(tst_${name} PROPERTIES JOB_POOL_COMPILE torch_compile
      AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc-of-ours)
    binade_precompiled(tst_${name} test_torch)
  else()
    binade_precompiled(tst_${name} test)
  endif()
  if("plain" IN_LIST ARG_LABELS OR "journey" IN_LIST ARG_LABELS)
    add_dependencies(sanitized_tests tst_${name})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  # One thread each: the models of tests are too small to share, and ctest runs two tests at a time.
  foreach(suite IN LISTS ARG_SUITES)
    add_test(NAME ${name}.${suite} COMMAND tst_${name} ${suite})
    set_tests_properties(${name}.${suite} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_RUNTIME_DIR=${BINADE_TEST_RUNTIME};LC_ALL=C.UTF-8;OMP_NUM_THREADS=1")
  endforeach()
endfunction()
