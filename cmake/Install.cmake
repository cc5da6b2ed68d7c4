# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, and what packages contain. Component `library` is the C++ library alone.

# ---- The library: autocast region and GradScaler for C++ programs on LibTorch.
# Installs every header of these folders except the private one, whose includes are not installed.
set(_public_folders formats scaled confine policy zip graph autocast scaler apex)
set(_private_headers engine/apex/shared.h)
foreach(_folder IN LISTS _public_folders)
  if(TARGET binade_${_folder})
    install(TARGETS binade_${_folder} EXPORT Binade ARCHIVE COMPONENT library)
    file(GLOB _headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS engine/${_folder}/*.h)
    list(REMOVE_ITEM _headers ${_private_headers})
    install(FILES ${_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/binade/engine/${_folder} COMPONENT library)
  endif()
endforeach()
set(_config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Binade)
include(CMakePackageConfigHelpers)
configure_package_config_file(packaging/BinadeConfig.cmake.in ${CMAKE_BINARY_DIR}/BinadeConfig.cmake
  INSTALL_DESTINATION ${_config_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/BinadeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
if(TARGET binade_apex)
  install(EXPORT Binade NAMESPACE Binade:: FILE BinadeLibraries.cmake DESTINATION ${_config_folder} COMPONENT library)
  install(FILES ${CMAKE_BINARY_DIR}/BinadeConfig.cmake ${CMAKE_BINARY_DIR}/BinadeConfigVersion.cmake
    DESTINATION ${_config_folder} COMPONENT library)
endif()

# ---- The programs

if(TARGET binade)
  install(TARGETS binade RUNTIME)
  if(TARGET translations)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/binade/translations
      DESTINATION ${CMAKE_INSTALL_DATADIR}/binade)
  endif()
  install(FILES packaging/org.binade.Binade.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES packaging/org.binade.Binade.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES packaging/org.binade.Binade.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES resources/icons/binade.svg RENAME org.binade.Binade.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  # A file's icon has the name of its type, with - for /.
  install(DIRECTORY packaging/icons/ DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/mimetypes)
endif()

if(TARGET binade-engine)
  # LibTorch (1.2 GB) is not part of the package: the engine expects it where fetch-libtorch puts it.
  file(RELATIVE_PATH _bin_to_lib /${CMAKE_INSTALL_BINDIR} /lib/binade/torch/lib)
  set_target_properties(binade-engine PROPERTIES INSTALL_RPATH "$ORIGIN/${_bin_to_lib}")
  # CMake pads a run path that it changes at installation with a colon, and an empty entry means the working directory.
  # A link to LibTorch in the build tree lets one run path serve both.
  if(_bin_to_lib STREQUAL "../lib/binade/torch/lib")
    set_target_properties(binade-engine PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
    cmake_path(ABSOLUTE_PATH BINADE_LIBTORCH BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE _libtorch)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib/binade)
    file(CREATE_LINK ${_libtorch} ${CMAKE_BINARY_DIR}/lib/binade/torch SYMBOLIC)
  endif()
  install(TARGETS binade-engine RUNTIME)
  install(DIRECTORY python/binade DESTINATION ${CMAKE_INSTALL_DATADIR}/binade/python PATTERN __pycache__ EXCLUDE)
  install(FILES python/pyproject.toml python/build_wheel.py python/one_file.py
    DESTINATION ${CMAKE_INSTALL_DATADIR}/binade/python)
  install(PROGRAMS packaging/setup-libtorch DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/binade)
  install(FILES packaging/wheels.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/binade)
endif()

install(FILES packaging/man/binade.1 packaging/man/binade-engine.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY resources/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/binade OPTIONAL)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Everything that is installed. `./dev package` builds it in the build tree that the tests use.
add_custom_target(product)
foreach(_target IN ITEMS binade binade-engine ${_public_folders})
  if(TARGET ${_target})
    add_dependencies(product ${_target})
  elseif(TARGET binade_${_target})
    add_dependencies(product binade_${_target})
  endif()
endforeach()
