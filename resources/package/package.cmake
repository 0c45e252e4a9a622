# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where, and the Debian package that `cpack` makes of it. Files of the desktop carry the
# program's identifier; icons and manual pages are made here, so that they cannot differ from what they show.
set(LAB_ID org.strategylab.StrategyLab)
set(LAB_DESKTOP_DIR ${PROJECT_SOURCE_DIR}/resources/desktop)
set(LAB_PACKAGE_DIR ${PROJECT_SOURCE_DIR}/resources/package)
set(LAB_PACKAGED ${PROJECT_BINARY_DIR}/packaged)
file(MAKE_DIRECTORY ${LAB_PACKAGED})

# lab_manual_page(PROGRAM SUMMARY HELP): PROGRAM.1.gz, of what the program prints with the option HELP, and of PROGRAM.h2m and
# common.h2m. -n, and a SOURCE_DATE_EPOCH in the environment: the same bytes each time. Without help2man there is none.
find_program(LAB_HELP2MAN help2man)
function(lab_manual_page program summary help)
  if(NOT LAB_HELP2MAN)
    message(STATUS "help2man was not found, so packages have no manual page of ${program} (Debian: help2man)")
    return()
  endif()
  set(page ${LAB_PACKAGED}/${program}.1.gz)
  set(texts ${LAB_PACKAGE_DIR}/${program}.h2m ${LAB_PACKAGE_DIR}/common.h2m)
  list(TRANSFORM texts PREPEND --include= OUTPUT_VARIABLE includes)
  add_custom_command(OUTPUT ${page}
                     COMMAND ${LAB_HELP2MAN} --no-info --name=${summary} --help-option=${help} ${includes}
                             --output=${LAB_PACKAGED}/${program}.1 $<TARGET_FILE:${program}>
                     COMMAND gzip -9 -n -f -k ${LAB_PACKAGED}/${program}.1
                     DEPENDS ${program} ${texts} COMMENT "Manual page of ${program}" VERBATIM)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(LAB_PACKAGED_FILES ${LAB_PACKAGED_FILES} ${page} PARENT_SCOPE)
endfunction()

install(TARGETS strategylab-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
lab_manual_page(strategylab-cli "trains under the strategies of tf.distribute, without a window" --help-all)
install(TARGETS strategylab-hdf5 RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/strategylab/modules)
if(TARGET strategylab-class)
  install(TARGETS strategylab-class RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/strategylab/modules OPTIONAL)
endif()
if(TARGET strategylab_cuda)
  # Two folders down: nobody links with it, and cpack would have ldconfig run for what lies higher.
  install(TARGETS strategylab_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/strategylab/modules)
endif()
if(TARGET strategylab_mpi)
  # In no package, which would then need Open MPI: `cmake --install build/release --component mpi`.
  install(TARGETS strategylab_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/strategylab/modules
          COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
if(STRATEGYLAB_UI)
  install(TARGETS strategylab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  lab_manual_page(strategylab "simulator and visualizer of the strategies of tf.distribute" --help)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Svg)
  add_executable(lab_render_icon ${PROJECT_SOURCE_DIR}/app/render_icon.cpp)
  target_link_libraries(lab_render_icon PRIVATE Qt6::Svg lab_flags)
  foreach(size 16 24 32 48 64 128 256 512)
    set(icon ${LAB_PACKAGED}/icon-${size}.png)
    add_custom_command(OUTPUT ${icon} COMMAND lab_render_icon ${LAB_DESKTOP_DIR}/${LAB_ID}.svg ${size} ${icon}
                       DEPENDS lab_render_icon ${LAB_DESKTOP_DIR}/${LAB_ID}.svg COMMENT "Icon, ${size} pixels" VERBATIM)
    install(FILES ${icon} RENAME ${LAB_ID}.png DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps)
    list(APPEND LAB_PACKAGED_FILES ${icon})
  endforeach()
  install(FILES ${LAB_DESKTOP_DIR}/${LAB_ID}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  install(FILES ${LAB_DESKTOP_DIR}/${LAB_ID}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${LAB_DESKTOP_DIR}/${LAB_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES ${LAB_DESKTOP_DIR}/${LAB_ID}.mime.xml RENAME ${LAB_ID}.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
endif()
set(changes ${LAB_PACKAGED}/changelog.gz)
add_custom_command(OUTPUT ${changes} COMMAND gzip -9 -n -c ${LAB_PACKAGE_DIR}/changelog > ${changes}
                   DEPENDS ${LAB_PACKAGE_DIR}/changelog COMMENT "Changelog" VERBATIM)
install(FILES ${LAB_PACKAGE_DIR}/copyright ${changes} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/strategylab)
add_custom_target(lab_packaged ALL DEPENDS ${LAB_PACKAGED_FILES} ${changes})
add_dependencies(lab_packaged lab_modules lab_class)

# Tests and benchmarks are not for installing, so nothing waits for them.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strategylab)
set(CPACK_PACKAGE_VENDOR "The StrategyLab developers")
set(CPACK_PACKAGE_CONTACT "StrategyLab developers <developers@strategylab.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator and visualizer of distributed training strategies")
file(READ ${LAB_PACKAGE_DIR}/description CPACK_PACKAGE_DESCRIPTION)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the programs are linked with, by the versions that this system has
# Certificates are for `data fetch`; the platform plugin for Wayland is a package of its own.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, qt6-wayland")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
