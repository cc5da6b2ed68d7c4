# SPDX-License-Identifier: Apache-2.0
# Shell completion, made of what the built programs print for --help. Part of the target `product`, not of every build.
if(TARGET binade AND TARGET binade-engine AND NOT BINADE_SANITIZE)
  find_program(BINADE_PYTHON3 python3 REQUIRED)
  file(GLOB _completion CONFIGURE_DEPENDS packaging/completion/*.py)
  set(_completion_stamp ${CMAKE_BINARY_DIR}/completion/stamp)
  add_custom_command(OUTPUT ${_completion_stamp}
    COMMAND ${BINADE_PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/completion/make.py $<TARGET_FILE_DIR:binade>
      ${CMAKE_BINARY_DIR}/completion
    COMMAND ${CMAKE_COMMAND} -E touch ${_completion_stamp}
    DEPENDS binade binade-engine ${_completion} VERBATIM)
  add_custom_target(completion DEPENDS ${_completion_stamp})
  add_dependencies(product completion)
  foreach(_shell IN ITEMS bash-completion zsh fish)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/completion/${_shell} DESTINATION ${CMAKE_INSTALL_DATADIR} OPTIONAL)
  endforeach()
endif()
