# To be sourced: finds a JDK for Sluice where the default java may be too old.

least_jdk=21

# Prints the major version of the JDK in folder $1, or nothing.
jdk_major() {
  [[ -x $1/bin/javac && -r $1/release ]] || return 0
  sed -nE 's/^JAVA_VERSION="(1\.)?([0-9]+).*/\2/p' "$1/release"
}

# JDK_FOLDERS names a folder of JDKs, to look there instead of in the usual places.
jdk_folders() {
  echo "${JAVA_HOME:-}"
  local javac
  if javac=$(command -v javac); then dirname "$(dirname "$(readlink -f "$javac")")"; fi
  if [[ -n ${JDK_FOLDERS:-} ]]; then
    printf '%s\n' "$JDK_FOLDERS"/*
    return
  fi
  printf '%s\n' /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home
}

# Prints the folder of the newest JDK that is new enough, or says what to install and fails.
newest_jdk() {
  local folder major best=0 found=
  while read -r folder; do
    [[ -n $folder && -d $folder ]] || continue
    major=$(jdk_major "$folder")
    if [[ -n $major && $major -ge $least_jdk && $major -gt $best ]]; then best=$major found=$folder; fi
  done < <(jdk_folders)
  if [[ -z $found ]]; then
    echo "No JDK $least_jdk or newer found: install one (Debian: a temurin-25-jdk or openjdk-25-jdk package," >&2
    echo "macOS: brew install --cask temurin) or point JAVA_HOME at it." >&2
    return 1
  fi
  echo "$found"
}

require_maven() {
  if ! command -v mvn >/dev/null; then
    echo "Maven is missing: install Apache Maven 3.8 or newer (Debian: apt install maven, macOS: brew install maven)." >&2
    return 1
  fi
}
