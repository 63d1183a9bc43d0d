# What all packages that cpack makes say of themselves (docs/packages.md).

# Debian's policy wants the name and the address of whoever answers for a package (5.6.2). Who
# makes one gives them; the project has a name, and an address that says that there is none
# (RFC 2606).
set(THERMOCLINE_CONTACT "Thermocline contributors <none@thermocline.invalid>" CACHE STRING
  "Who made the Debian packages: name <address>")
configure_file(packages/changelog.in ${CMAKE_CURRENT_BINARY_DIR}/packages/changelog @ONLY)

set(CPACK_PACKAGE_NAME thermocline)
set(CPACK_PACKAGE_VENDOR Thermocline)
set(CPACK_PACKAGE_CONTACT ${THERMOCLINE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Profile-guided heap optimizer for LLVM 22")
set(CPACK_PACKAGE_DESCRIPTION
"Thermocline profiles which calling contexts allocate memory that then lies
cold, and clones functions in the ThinLTO link so that exactly those contexts
allocate from a cold heap.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_THREADS 0)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
