# private-apt.sh, sourced: apt for packages of another architecture, of which the machine knows
# nothing. It has a state of its own, and the machine's own mirrors.

# private_apt FOLDER [SUITE...]: makes the state, and sets apt_get, a command. Suites are those of
# Debian that the machine has, and more of the mirror of its release.
private_apt() {
  local state=$1 suites mirror release
  shift
  mkdir -p "$state"/{lists,cache/archives}/partial
  suites=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' \
    "Origin: Debian" "Component: main" "Identifier: Packages" "Architecture: amd64" | sort -u)
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(awk -v release="$release" '$2 == release {print $1; exit}' <<<"$suites")
  for suite in "$@"; do
    suites+=$'\n'"$mirror $suite"
  done
  sed 's|.*|deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] & main|' \
    <<<"$suites" >"$state/sources.list"
  apt_get=(apt-get -qq -o APT::Sandbox::User=root
    -o Dir::State::status=/dev/null -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache"
    -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null)
}
