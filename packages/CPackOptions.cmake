# What differs between the generators of cpack: the archive is one tree that can be
# unpacked anywhere.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
  set(CPACK_MONOLITHIC_INSTALL ON)
endif()
# What dpkg-shlibdeps reads, for packages of another architecture.
if(CPACK_THERMOCLINE_PACKAGES)
  set(ENV{DPKG_ADMINDIR} ${CPACK_THERMOCLINE_PACKAGES})
  set(ENV{DEB_HOST_ARCH} ${CPACK_DEBIAN_PACKAGE_ARCHITECTURE})
endif()
