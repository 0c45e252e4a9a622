// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what goes wrong among real processes. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(noMpiModule,
         "the MPI module '%1' is missing: the program was built without MPI, or installed without that file (Debian: "
         "install libopenmpi-dev and openmpi-bin, then build again)");
LAB_TEXT(mpiModuleNotOpened, "the MPI module '%1' cannot be opened: %2");
LAB_TEXT(notMpiModule, "'%1' is not an MPI module of this program: build both together");
LAB_TEXT(otherMpiModule,
         "the MPI module beside the program is of another build (%1 instead of %2): build both together");
LAB_TEXT(mpiWithoutThreads, "this MPI does not support MPI_THREAD_MULTIPLE: install Open MPI 4.1 or newer");
LAB_TEXT(mpiFailed, "%1 failed: %2. Check whether all hosts are reachable, then start again.");
LAB_TEXT(noProcesses, "%1 processes: %2. Use %1 simulated or %1 cpu.");
LAB_TEXT(notAmongProcesses,
         "%1 processes: this program was not started together with others. Start it with `strategylab-cli launch "
         "--workers 2`, or with mpirun or srun.");
LAB_TEXT(aloneAmongMany,
         "%1 processes: %2 processes were started, but MPI joins only 1 of them. Use Open MPI's own mpirun, or srun "
         "--mpi=pmix.");

LAB_TEXT(hostNotReached,
         "mpirun does not reach host '%1': %2. Check that the name is right and that `ssh %1` asks for no password, "
         "then start again.");
LAB_TEXT(programNotThere,
         "'%1' is not on host '%2'. Install the same version there, at the same place, and start again.");
LAB_TEXT(examplesFailThere, "%1 cannot read its examples: %2");

LAB_TEXT(nobodyStarted,
         "no worker has said anything for %1 s. Check that mpirun reaches all hosts, then start again; a longer "
         "waiting time can be set with %2. %3");

LAB_TEXT(workerOnHost, "worker %1 (process %3 on %2)");
LAB_TEXT(workerThere, "worker %1 on %2");
LAB_TEXT(notKilledThere, "%1 could not be ended: mpirun did not reach it (%2). End it on that host.");
LAB_TEXT(workerMissing,
         "%1 has not been heard from for %2 s, during %3. It was stopped, or its host or the network to it is down. "
         "Check that host, then start again.");
LAB_TEXT(workerAbsent,
         "%1 is alive, but has not reached %3 for %2 s. Check what that process is doing, then start again; a longer "
         "waiting time can be set with %4 or in %5.");
LAB_TEXT(workerUnreachable,
         "%1 and %4 have waited for each other for %2 s, during %3. The network between them is down. Check it, then "
         "start again.");

LAB_TEXT(workersStuck,
         "all workers have waited for each other for %1 s, during %2, and NCCL does not say which one is missing. "
         "Check the GPUs and the network between the hosts (NCCL_DEBUG=WARN shows more), then start again; a longer "
         "waiting time can be set with %3 or in %4.");

LAB_TEXT(inStartUp, "the start-up");
LAB_TEXT(inBroadcast, "the broadcast of the initial weights");
LAB_TEXT(inAllReduce, "the all-reduce of step %1");
LAB_TEXT(inAllGather, "the all-gather of step %1");
LAB_TEXT(inStepsEnd, "the end of step %1");
LAB_TEXT(inStepsBegin, "the beginning of step %1");
LAB_TEXT(inRecord, "the record of step %1");
LAB_TEXT(inEvaluation, "the evaluation after step %1");
LAB_TEXT(inLeaving, "the end of the run");
LAB_TEXT(inFiles, "the end of reading or writing the run's files");

LAB_TEXT(otherVersionThere, "%1 runs version %2, and worker 0 version %3. Install the same version on all hosts.");
LAB_TEXT(otherKernelsThere,
         "%1 computes with %2, and worker 0 with %3, whose results differ in their last bits. Set "
         "STRATEGYLAB_CPU_PATH=%4 for all processes.");
LAB_TEXT(otherSettingThere, "%1 was given %2 '%3', and worker 0 '%4'. Start all processes with the same options.");
LAB_TEXT(otherNetworkThere,
         "%1 has a different network from worker 0, in a file of the same name. Install the same version on all hosts, "
         "and start again.");
LAB_TEXT(otherDataThere,
         "%1 has other examples (%2, from %3) than worker 0 (%4, from %5). Put the same data on all hosts.");
LAB_TEXT(badTaskIndex,
         "TF_CONFIG of %1 says that it is task %2 of type '%3'. Give each process its own: task i of type worker to "
         "rank i; `launch` does so.");
LAB_TEXT(
    badClusterSize,
    "TF_CONFIG of %1 names %2 workers, but %3 processes were started. Start as many processes as it names workers.");
LAB_TEXT(otherCluster,
         "TF_CONFIG of %1 names different workers from that of worker 0. Give all processes the same cluster.");

LAB_TEXT(rootNotAllowed,
         "Open MPI starts nothing as root unless it is told to: a mistake could harm the whole system. Start this as "
         "another user, or set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1.");
LAB_TEXT(workersNotOnHosts, "%1 %2 cannot be spread evenly over the %4 of %3. Give a multiple of %4.");
LAB_TEXT(workersNotAddresses, "%1 %2: the cluster's file names %3. Leave %1 out.");

LAB_TEXT(noMpirunHere, "'%1' was not found (Debian: install openmpi-bin)");
LAB_TEXT(
    badWorkerHost,
    "%1: '%2' is not the name of a host. Give names with commas between them, or a file in the form of TF_CONFIG.");
LAB_TEXT(workerHostTwice, "%1: '%2' appears twice. Name each host once; the workers are spread evenly over the hosts.");

LAB_TEXT(tfConfigNotJson,
         "%1: '%2' is not a TF_CONFIG for this strategy: %3. Write a cluster with a list of workers, each host:port, "
         "as in TensorFlow.");
LAB_TEXT(noClusterInIt, "it has no cluster with a list of workers");
LAB_TEXT(otherTasksInIt, "its cluster has tasks of type '%1'; MultiWorkerMirroredStrategy has only workers");
LAB_TEXT(workerNotHostPort, "the worker '%1' is not of the form host:port");
LAB_TEXT(hostByNumber, "mpirun does not accept an address such as '%1' for a host. Write the host's name instead.");
LAB_TEXT(workerTwice, "the worker '%1' appears twice");
LAB_TEXT(toldToEnd,
         "%1 was told to end by a signal, but the others were not. End a run through mpirun or worker 0; start this "
         "one again.");

LAB_TEXT(streamUnreadable,
         "the data that the processes send cannot be read. Install the same version of the program on all hosts, then "
         "start again.");

}  // namespace lab::say
