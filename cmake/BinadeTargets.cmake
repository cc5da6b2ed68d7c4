# SPDX-License-Identifier: Apache-2.0
# Defines how a folder becomes a target. One folder is one library binade_<name>, named by its path without `engine/` and
# with `_` for `/`. The tests of a part are one executable tst_<name>.

option(BINADE_DEVELOPER "Warnings are errors" OFF)
set(BINADE_SANITIZE "" CACHE STRING "Value for -fsanitize=, empty for none")
set(BINADE_DEBUG_INFO "-g1" CACHE STRING "Debug information of RelWithDebInfo builds (-g0 where nobody debugs)")

# Headers take most of a compilation: six files of a target compiled as one take a fifth of the time. The files of a
# target therefore share their unnamed namespaces. tests/tree/compile_alone.py checks that each file still includes what
# it names.
option(BINADE_UNITY "Compile several files of a target at once (OFF suits editors, which read compile_commands.json)" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)

# binade_large_batches(<target> <files...>): divides the target's files into equal batches of at most eighteen. LibTorch's
# precompiled header costs 4 s of processor time in every batch, before the batch's own code.
function(binade_large_batches target)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources files)
  math(EXPR batches "(${files} + 17) / 18")
  math(EXPR size "(${files} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

set(BINADE_OPTIMISE -O2)
if(BINADE_SANITIZE)
  set(BINADE_OPTIMISE -O1)  # compiles faster
endif()
# Tests' own code compiles a quarter faster at -O1; the libraries under test keep their level. GCC reports more
# uninitialised values there, without cause.
set(BINADE_TEST_OPTIONS $<$<CONFIG:RelWithDebInfo>:-O1> -Wno-maybe-uninitialized)
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "${BINADE_OPTIMISE} ${BINADE_DEBUG_INFO}")
if(BINADE_DEVELOPER)
  # An index out of range or an invalid access to a container aborts the test, in every file.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

find_program(BINADE_CCACHE ccache)
if(BINADE_CCACHE)
  # The base folder makes compiler calls relative, so that clones in different folders share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${BINADE_CCACHE})
  # Without this option, ccache cannot see which precompiled header a file uses.
  add_compile_options(-fpch-preprocess)
endif()
find_program(BINADE_MOLD mold)
if(BINADE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# LibTorch's headers need up to 1.7 GB per batch: at most two such batches are compiled at once.
set_property(GLOBAL PROPERTY JOB_POOLS torch_compile=2)

add_library(binade_warnings INTERFACE)
target_compile_options(binade_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
  $<$<BOOL:${BINADE_DEVELOPER}>:-Werror>)
if(BINADE_SANITIZE)
  # GCC reports the code that the sanitizers add to <regex> as uses of uninitialised values. LibTorch does not export
  # all type information that the vptr check needs.
  target_compile_options(binade_warnings INTERFACE -fsanitize=${BINADE_SANITIZE} -fno-sanitize=vptr
    -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(binade_warnings INTERFACE -fsanitize=${BINADE_SANITIZE})
endif()

# moc 6.4 cannot parse libstdc++'s <concepts>. Defining its include guard makes moc, and only moc, skip it.
set(CMAKE_AUTOMOC_MOC_OPTIONS -D_GLIBCXX_CONCEPTS)

# binade_library(<name> SOURCES <files...> [PUBLIC <libraries...>] [PRIVATE <libraries...>] [TORCH] [QT | QT_GUI])
# Makes the library of a folder. QT is all of Qt. QT_GUI is Qt without widgets, whose headers are then not found.
function(binade_library name)
  cmake_parse_arguments(ARG "TORCH;QT;QT_GUI" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
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
    binade_large_batches(binade_${name} ${ARG_SOURCES})
  endif()
  if(ARG_QT OR ARG_QT_GUI)
    if(ARG_QT)
      target_link_libraries(binade_${name} PUBLIC Qt6::Widgets)
      binade_precompiled(binade_${name} qt)
    else()
      target_link_libraries(binade_${name} PUBLIC Qt6::Gui)
      binade_precompiled(binade_${name} qt_gui)
    endif()
    set_target_properties(binade_${name} PROPERTIES AUTOMOC ON AUTORCC ON)
    # The definitions that forbid casts are private, because the precompiled header of tests has none.
    target_compile_definitions(binade_${name} PUBLIC QT_NO_KEYWORDS PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII)
  endif()
endfunction()

# binade_inner_loops(<files...>): optimises files whose loops are to be vectorised, each compiled alone. Nothing reads
# the flags of floating-point exceptions; while GCC preserves them, it vectorises no choice between two computed values
# for AVX2. Under the sanitizers the options stay those of the precompiled header, because GCC 12 crashes if they differ.
function(binade_inner_loops)
  set_source_files_properties(${ARGN} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT BINADE_SANITIZE)
    set_source_files_properties(${ARGN} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} PROPERTIES COMPILE_OPTIONS "-O3;-fno-trapping-math")
  endif()
endfunction()

# Qt requires a runtime folder that only its user can read.
set(BINADE_TEST_RUNTIME ${CMAKE_BINARY_DIR}/runtime)
file(MAKE_DIRECTORY ${BINADE_TEST_RUNTIME})
file(CHMOD ${BINADE_TEST_RUNTIME} DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# Tests that run under the sanitizers: those without LibTorch and GUI event loop (label `plain`), and journeys through
# the window with the engine behind it (label `journey`).
add_custom_target(sanitized_tests)
# Tests of classes that own threads or are called from several, for the thread sanitizer (label `threads`).
add_custom_target(threaded_tests)

# binade_test(<name> SOURCES <files...> LIBS <libraries...> SUITES <classes...> [THREADS <classes...>]
#             [LABELS <labels...>] [TORCH] [TIMEOUT <s>])
# One executable tst_<name>; each suite (a QObject registered with BINADE_SUITE) is the ctest test <name>.<Suite>.
# THREADS names the suites that also have the label `threads`.
function(binade_test name)
  cmake_parse_arguments(ARG "TORCH" "TIMEOUT" "SOURCES;LIBS;SUITES;THREADS;LABELS" ${ARGN})
  add_executable(tst_${name} ${ARG_SOURCES})
  set_target_properties(tst_${name} PROPERTIES AUTOMOC ON UNITY_BUILD ${BINADE_UNITY})
  # A batch is not a header, so types in unnamed namespaces have one definition.
  target_compile_options(tst_${name} PRIVATE -Wno-subobject-linkage ${BINADE_TEST_OPTIONS})
  target_compile_definitions(tst_${name} PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(tst_${name} PRIVATE ${ARG_LIBS} binade_test_support binade_warnings)
  if(ARG_TORCH)
    get_target_property(BINADE_MOC Qt6::moc IMPORTED_LOCATION)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/moc-of-ours.in ${CMAKE_BINARY_DIR}/moc-of-ours @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set_target_properties(tst_${name} PROPERTIES JOB_POOL_COMPILE torch_compile
      AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc-of-ours)
    binade_precompiled(tst_${name} test_torch)
    binade_large_batches(tst_${name} ${ARG_SOURCES})
  else()
    binade_precompiled(tst_${name} test)
  endif()
  # Suites include their own .moc file, so automoc's common file is empty and needs no precompiled header.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/tst_${name}_autogen/mocs_compilation.cpp
    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  if("plain" IN_LIST ARG_LABELS OR "journey" IN_LIST ARG_LABELS)
    add_dependencies(sanitized_tests tst_${name})
  endif()
  if(ARG_THREADS)
    add_dependencies(threaded_tests tst_${name})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(BINADE_SANITIZE MATCHES thread)
    math(EXPR ARG_TIMEOUT "10 * ${ARG_TIMEOUT}")  # code runs about ten times slower
  endif()
  # One thread each: the models of tests are too small to share, and ctest runs two tests at a time.
  foreach(suite IN LISTS ARG_SUITES)
    set(labels ${ARG_LABELS})
    if(suite IN_LIST ARG_THREADS)
      list(APPEND labels threads)
    endif()
    add_test(NAME ${name}.${suite} COMMAND tst_${name} ${suite})
    set_tests_properties(${name}.${suite} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${labels}"
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_RUNTIME_DIR=${BINADE_TEST_RUNTIME};LC_ALL=C.UTF-8;OMP_NUM_THREADS=1")
  endforeach()
endfunction()
