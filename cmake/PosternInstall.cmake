# Installation: the library with its headers, `find_package(postern)`, pkg-config, the command.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/postern)

install(TARGETS postern EXPORT posternTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/postern DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT posternTargets NAMESPACE postern:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/posternConfig.cmake.in ${PROJECT_BINARY_DIR}/posternConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 any minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/posternConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/posternConfig.cmake ${PROJECT_BINARY_DIR}/posternConfigVersion.cmake DESTINATION ${package_dir})

# The .pc file finds its prefix from where it lies, so the installed tree may be moved.
file(RELATIVE_PATH POSTERN_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" POSTERN_PC_PREFIX "${POSTERN_PC_PREFIX}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/postern.pc.in ${PROJECT_BINARY_DIR}/postern.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/postern.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET postern_cli)
    install(TARGETS postern_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
