#!/bin/sh
# Make the certificates of a cluster: sh certificates.sh FOLDER
# Whoever has the three files may use the cluster. Copy them to the scheduler's machine, to each worker and to the instructor's; keep them from others.
set -eu
folder=${1:?"Where do they go? Next: sh certificates.sh FOLDER"}
[ ! -e "$folder/key.pem" ] || { echo "There are certificates in $folder already. Next: name another folder, or delete it." >&2; exit 1; }
umask 077
mkdir -p "$folder"
cd "$folder"
authority=$(mktemp -d)
trap 'rm -rf "$authority"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 400 -subj "/CN=nbjudge cluster" \
    -keyout "$authority/key.pem" -out authority.pem 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=nbjudge part" -keyout key.pem -out "$authority/request.pem" 2>/dev/null
openssl x509 -req -in "$authority/request.pem" -CA authority.pem -CAkey "$authority/key.pem" -CAcreateserial -CAserial "$authority/serial" \
    -days 400 -out certificate.pem 2>/dev/null
cat > environment.sh <<EOF
# Before \`make scheduler\`, \`make worker\` and \`make grade\`, on every machine: . $(pwd)/environment.sh
export DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION=True
export DASK_DISTRIBUTED__COMM__TLS__CA_FILE=$(pwd)/authority.pem
EOF
for part in SCHEDULER WORKER CLIENT; do
    echo "export DASK_DISTRIBUTED__COMM__TLS__${part}__CERT=$(pwd)/certificate.pem DASK_DISTRIBUTED__COMM__TLS__${part}__KEY=$(pwd)/key.pem"
done >> environment.sh
echo "Made in $(pwd). Next, on every machine: . $(pwd)/environment.sh"
