# What differs between the generators of cpack: the archive is one tree that can be
# unpacked anywhere.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
  set(CPACK_MONOLITHIC_INSTALL ON)
endif()
