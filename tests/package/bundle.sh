#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One archive with everything, for any Linux of this machine's kind: programs, Qt, all libraries, fonts. It is unpacked
# anywhere and started, without rights and without installing.
#
#   tests/package/bundle.sh [BUILD_FOLDER [ARCHIVE.tar.gz]]
#
# BUILD_FOLDER: build/release, built if need be. ARCHIVE: strategylab-VERSION-MACHINE.tar.gz there. Needs patchelf and Debian's
# packages, whose names, licences and sources go into the archive. bundle_try.sh starts it in bare systems.
#
#   strategylab, strategylab-cli   both bin/launch, which starts the program of its name
#   bin/           launch, and this system's loader for systems whose C library is older
#   libexec/       the programs
#   lib/ plugins/  the libraries and Qt's plugins; lib/libc is the C library, for that loader alone
#   share/         fonts, keyboard layouts, certificates, licences; SOURCES says where the sources are
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/app/setup.sh"
build=$(readlink -f "${1:-$root/build/release}")
for tool in patchelf:patchelf dpkg-query:dpkg objdump:binutils; do
  command -v "${tool%:*}" >/dev/null || { say "skipped: ${tool%:*} is missing: install ${tool#*:}"; exit 77; }
done
kPlugins=(platforms/libq{xcb,offscreen,wayland-generic,wayland-egl}.so platforminputcontexts/lib{compose,ibus}platforminputcontextplugin.so
  imageformats/libq{gif,ico,jpeg,svg}.so iconengines/libqsvgicon.so wayland-shell-integration/libxdg-shell.so
  wayland-decoration-client/libbradient.so)
kData=(/usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono,Mono-Bold}.ttf /usr/share/X11/xkb /usr/share/X11/locale/{C,compose.dir,locale.alias,locale.dir,en_US.UTF-8,iso8859-1}
  /usr/share/qt6/translations/qtbase_de.qm /etc/ssl/certs/ca-certificates.crt)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The programs, at their places.
[ "$(basename "$build")" != release ] || cmake --build "$build" --target strategylab strategylab-cli lab_packaged >&2
for component in "" "--component mpi"; do
  # shellcheck disable=SC2086  # two words, or none
  DESTDIR=$scratch/installed cmake --install "$build" --prefix /usr --strip $component >/dev/null
done
installed=$scratch/installed/usr
version=$("$installed/bin/strategylab-cli" --version | sed 's/.* //')
name=strategylab-$version-$(uname -m)
archive=${2:-$build/$name.tar.gz}
out=$scratch/$name
modules=$out/lib/strategylab/modules
mkdir -p "$out"/{bin,libexec,lib/libc,plugins,share} "$modules"
cp -a "$installed/share/." "$out/share"
mv "$installed"/bin/* "$installed"/lib*/strategylab/modules/strategylab-* "$out/libexec/"
find "$installed" -name 'strategylab_*.so' -exec mv -t "$modules" {} +

# plugins, and libraries as far as they ask for others. What the C library brings stands apart.
qt=$(qtpaths6 --plugin-dir 2>/dev/null || printf '/usr/lib/%s/qt6/plugins' "$(gcc -print-multiarch)")
for plugin in "${kPlugins[@]}"; do
  [ -e "$qt/$plugin" ] || fail "$qt/$plugin is missing: install qt6-base-dev and qt6-wayland"
  install -D -m 644 "$qt/$plugin" "$out/plugins/$plugin"
done
mapfile -t libraries < <(ldd "$out"/libexec/* "$out"/plugins/*/* | grep -o '/[^ ]*\.so[^ :]*' | grep -v "^$scratch" | sort -u)
sources=()
for library in "${libraries[@]}"; do
  sources+=("$(readlink -f "$library")")
  case ${library##*/} in
    ld-linux*) loader=${library##*/} && install -m 755 "$library" "$out/bin/$loader" ;;
    libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.* | libutil.so.*) install -m 644 "$library" "$out/lib/libc/" ;;
    *) install -m 644 "$library" "$out/lib/" ;;
  esac
done
# Name services that the C library opens by itself.
for library in "$(dirname "${libraries[0]}")"/libnss_{dns,files}.so.2; do [ ! -e "$library" ] || install -m 644 "$library" "$out/lib/libc/"; done
if find "$out" -name 'libcud*' -o -name 'libnccl*' -o -name 'libmpi*' -o -name 'libnv*' | grep .; then fail "CUDA and MPI stay outside"; fi

# Where each looks for the others: relative to itself, in no variable that browsers or mpirun would inherit, and (--force-rpath)
# before LD_LIBRARY_PATH, which conda, ROS and others set to libraries of theirs.
find "$out/libexec" -type f -exec patchelf --force-rpath --set-rpath '$ORIGIN/../lib' {} \;
find "$out/lib" -maxdepth 1 -type f -exec patchelf --force-rpath --set-rpath '$ORIGIN' {} \;
find "$out/plugins" -type f -exec patchelf --force-rpath --set-rpath '$ORIGIN/../../lib' {} \;
find "$modules" -type f -name '*.so' -exec patchelf --force-rpath --set-rpath '$ORIGIN/../..' {} \;
printf '[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = share/qt6/translations\n' | tee "$out/libexec/qt.conf" >"$out/bin/qt.conf"

for data in "${kData[@]}"; do
  [ -e "$data" ] || continue
  sources+=("$data")
  place=$out/share/${data#/*/share/}
  [ "$data" != "${data#/etc/}" ] && place=$out/share/${data##*/}
  mkdir -p "$(dirname "$place")" && cp -rL "$data" "$place"
done
cat >"$out/share/fonts.conf" <<'EOF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
EOF

# The loader of this system is taken where the other's C library is older than what was linked with, or is none of GNU's. It
# lies in bin/, where a program then looks for those that it starts: each of them is a launch, too.
needed=$(find "$out"/{libexec,lib,plugins} -type f ! -path '*/lib/libc/*' ! -name qt.conf -exec objdump -T {} + |
  grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -1)
cat >"$out/bin/launch" <<EOF
#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts the program of this file's name. Its libraries are beside it; the C library is the system's, if that is new enough.
called=\$(readlink -f "\$0")
here=\${called%/bin/*}
name=\${0##*/}
[ -x "\$here/libexec/\$name" ] || name=strategylab
export FONTCONFIG_FILE="\${FONTCONFIG_FILE:-\$here/share/fonts.conf}"
[ -d /usr/share/X11/xkb ] || export XKB_CONFIG_ROOT="\${XKB_CONFIG_ROOT:-\$here/share/X11/xkb}"
[ -d /usr/share/X11/locale ] || export XLOCALEDIR="\${XLOCALEDIR:-\$here/share/X11/locale}"
if [ -z "\$SSL_CERT_FILE" ]; then
  for SSL_CERT_FILE in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem \\
    "\$here/share/ca-certificates.crt"; do
    [ ! -r "\$SSL_CERT_FILE" ] || break
  done
  export SSL_CERT_FILE
fi
libc=\$(getconf GNU_LIBC_VERSION 2>/dev/null)
[ "\${libc##*2.}" -lt ${needed#GLIBC_2.} ] 2>/dev/null || [ -z "\$libc" ] || exec "\$here/libexec/\$name" "\$@"
exec "\$here/bin/$loader" --library-path "\$here/lib/libc:\$here/lib" --argv0 "\$here/\$name" "\$here/libexec/\$name" "\$@"
EOF
chmod 755 "$out/bin/launch"
for program in "$out"/libexec/strategylab*; do ln -s launch "$out/bin/${program##*/}"; done
ln -s bin/launch "$out/strategylab"
ln -s bin/launch "$out/strategylab-cli"

# Whose each file is, its licence, and where its source is: Debian keeps every version of every source package.
for file in "${sources[@]}"; do
  dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}" 2>/dev/null || printf '%s\n' ca-certificates:
done | sed 's/: .*//; s/:$//' | tr ',' '\n' | sed 's/^ *//; s/:.*//' | sort -u >"$scratch/packages"
revision=$(git -C "$root" -c safe.directory="$root" rev-parse HEAD)
{
  printf 'StrategyLab %s is free software: GPL-3.0-or-later, share/doc/strategylab/copyright. Its source is the archive\n' "$version"
  printf '%s-source.tar.gz beside this one, of revision %s.\n\n' "$name" "$revision"
  printf 'The libraries and data in it come from Debian, unchanged but for the path in which each looks for the others. Who hands on\n'
  printf 'this archive hands on their sources, too, or this list: name, version, source package, and where Debian keeps it. Their\n'
  printf 'licences are in share/doc/NAME.copyright.\n\n'
  while read -r package; do
    dpkg-query -W -f '${binary:Package} ${Version} ${source:Package} ${source:Version}\n' "$package" | head -1 | while read -r binary has source its; do
      printf '%s %s\n    https://snapshot.debian.org/package/%s/%s/\n' "${binary%:*}" "$has" "$source" "$its"
    done
  done <"$scratch/packages"
} >"$out/SOURCES"
while read -r package; do
  [ -r "/usr/share/doc/$package/copyright" ] || fail "the licence of $package is missing: /usr/share/doc/$package/copyright"
  cp -L "/usr/share/doc/$package/copyright" "$out/share/doc/$package.copyright"
done <"$scratch/packages"

tar -C "$scratch" --owner=0 --group=0 --sort=name --mtime="@$(git -C "$root" -c safe.directory="$root" log -1 --format=%ct)" -c "$name" | gzip -9n >"$archive"
git -C "$root" -c safe.directory="$root" archive --format=tar.gz --prefix="$name-source/" -o "$(dirname "$archive")/$name-source.tar.gz" HEAD
say "$archive: $(stat -c %s "$archive") bytes, unpacked $(du -sb "$out" | cut -f 1), $(wc -l <"$scratch/packages") packages of Debian inside"
say "with a C library from ${needed/_/ } on the system's is taken, else the one inside"
