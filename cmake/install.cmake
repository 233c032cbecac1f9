# What `cmake --install` puts in place: library, headers, program, a pkg-config file and a CMake package.
include(CMakePackageConfigHelpers)
set(moreau_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/moreau)

install(TARGETS moreau EXPORT moreau_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/moreau DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# the program: whichever executable of app/ is called moreau
if(EXISTS ${PROJECT_SOURCE_DIR}/app/CMakeLists.txt)
  get_property(app_targets DIRECTORY ${PROJECT_SOURCE_DIR}/app PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS app_targets)
    get_target_property(type ${target} TYPE)
    get_target_property(output ${target} OUTPUT_NAME)
    if(type STREQUAL "EXECUTABLE" AND output STREQUAL "moreau")
      if(BUILD_SHARED)
        file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
      endif()
      install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
  endforeach()
endif()

# pkg-config: paths relative to the file itself, so that a prefix given at install time, or moved later, works.
# A static library needs its own libraries on the link line; a shared one brings them along.
file(RELATIVE_PATH MOREAU_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/+$" "" MOREAU_PC_PREFIX ${MOREAU_PC_PREFIX})
list(JOIN MOREAU_PC_MODULES " " modules)
if(BUILD_SHARED)
  set(MOREAU_PC_REQUIRES "Requires.private: ${modules}")
  set(MOREAU_PC_LIBS_EXTRA "")
else()
  set(MOREAU_PC_REQUIRES "Requires: ${modules}")
  set(MOREAU_PC_LIBS_EXTRA " -pthread -lm")
endif()
configure_file(cmake/moreau.pc.in ${PROJECT_BINARY_DIR}/moreau.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/moreau.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# CMake package: find_package(moreau) defines moreau::moreau
install(EXPORT moreau_targets NAMESPACE moreau:: FILE moreauTargets.cmake DESTINATION ${moreau_cmake_dir})
configure_package_config_file(cmake/moreauConfig.cmake.in ${PROJECT_BINARY_DIR}/moreauConfig.cmake
  INSTALL_DESTINATION ${moreau_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/moreauConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/moreauConfig.cmake ${PROJECT_BINARY_DIR}/moreauConfigVersion.cmake
  DESTINATION ${moreau_cmake_dir})
