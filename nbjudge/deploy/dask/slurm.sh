#!/bin/sh
# One worker machine as a job: sbatch --array=1-10 nbjudge/deploy/dask/slurm.sh ADDRESS
#SBATCH --job-name=nbjudge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=3G
#SBATCH --time=02:00:00
: "${1:?Which scheduler? Next: sbatch nbjudge/deploy/dask/slurm.sh ADDRESS}"
[ ! -f tls/environment.sh ] || . tls/environment.sh
exec make worker CLUSTER="$1" WORKERS="${SLURM_CPUS_PER_TASK:-8}"
