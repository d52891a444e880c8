#!/bin/sh
# Makes drover-VERSION-1.x86_64.rpm and that of its debug symbols: build.sh STAGE VERSION PRODUCTS
set -eu
stage=$1 version=$2 products=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$stage-rpmbuild

# The tree is as it shall be: nothing is stripped, compressed or named anew.
rpmbuild -bb --quiet --target x86_64-linux \
    --define "_topdir $work" --define "stage $stage" --define "version $version" \
    --define "debug_package %{nil}" --define "__os_install_post %{nil}" --define "_build_id_links none" \
    --define "_buildhost drover" --define "use_source_date_epoch_as_buildtime 1" \
    --define "clamp_mtime_to_source_date_epoch 1" --define "_binary_payload w19T1.xzdio" \
    "$here/drover.spec"
mv "$work"/RPMS/x86_64/*.rpm "$products"
