// SPDX-License-Identifier: GPL-3.0-or-later
// The core's texts that the window shows, word for word, for lupdate to find (see core_words.h).
#include <QCoreApplication>

#include "ui/core_words.h"

namespace lab {
namespace {

constexpr const char* kTexts[] = {
    // Groups of settings.
    QT_TRANSLATE_NOOP("core", "Strategy"),
    QT_TRANSLATE_NOOP("core", "Devices"),
    QT_TRANSLATE_NOOP("core", "Data"),
    QT_TRANSLATE_NOOP("core", "Training"),
    QT_TRANSLATE_NOOP("core", "Output"),
    // Settings.
    QT_TRANSLATE_NOOP("core", "Replicas"),
    QT_TRANSLATE_NOOP("core", "Hosts"),
    QT_TRANSLATE_NOOP("core", "Parameter servers"),
    QT_TRANSLATE_NOOP("core", "Partitioner"),
    QT_TRANSLATE_NOOP("core", "Reducer"),
    QT_TRANSLATE_NOOP("core", "Bytes per pack"),
    QT_TRANSLATE_NOOP("core", "Device model"),
    QT_TRANSLATE_NOOP("core", "Link"),
    QT_TRANSLATE_NOOP("core", "Host link"),
    QT_TRANSLATE_NOOP("core", "Catalogue"),
    QT_TRANSLATE_NOOP("core", "Matmul"),
    QT_TRANSLATE_NOOP("core", "Slow"),
    QT_TRANSLATE_NOOP("core", "Threads"),
    QT_TRANSLATE_NOOP("core", "Dataset"),
    QT_TRANSLATE_NOOP("core", "Data dir"),
    QT_TRANSLATE_NOOP("core", "Train examples"),
    QT_TRANSLATE_NOOP("core", "Test examples"),
    QT_TRANSLATE_NOOP("core", "Shuffle buffer"),
    QT_TRANSLATE_NOOP("core", "Batch per replica"),
    QT_TRANSLATE_NOOP("core", "Global batch"),
    QT_TRANSLATE_NOOP("core", "Split"),
    QT_TRANSLATE_NOOP("core", "Auto shard"),
    QT_TRANSLATE_NOOP("core", "Files"),
    QT_TRANSLATE_NOOP("core", "Epochs"),
    QT_TRANSLATE_NOOP("core", "Steps"),
    QT_TRANSLATE_NOOP("core", "Optimizer"),
    QT_TRANSLATE_NOOP("core", "Learning rate"),
    QT_TRANSLATE_NOOP("core", "Momentum"),
    QT_TRANSLATE_NOOP("core", "Lr scaling"),
    QT_TRANSLATE_NOOP("core", "Warmup epochs"),
    QT_TRANSLATE_NOOP("core", "Loss scaling"),
    QT_TRANSLATE_NOOP("core", "Seed"),
    QT_TRANSLATE_NOOP("core", "Noise scale"),
    QT_TRANSLATE_NOOP("core", "Eval every"),
    QT_TRANSLATE_NOOP("core", "Init"),
    QT_TRANSLATE_NOOP("core", "Save"),
    QT_TRANSLATE_NOOP("core", "Metrics"),
    QT_TRANSLATE_NOOP("core", "Trace"),
    QT_TRANSLATE_NOOP("core", "Run"),
    QT_TRANSLATE_NOOP("core", "Checkpoint dir"),
    QT_TRANSLATE_NOOP("core", "Checkpoint every"),
    QT_TRANSLATE_NOOP("core", "Resume"),
    // What they do.
    QT_TRANSLATE_NOOP("core", "The tf.distribute strategy to train under"),
    QT_TRANSLATE_NOOP("core", "Replicas in all; for parameter-server: workers of one replica each"),
    QT_TRANSLATE_NOOP("core", "Hosts that the replicas are spread over, evenly"),
    QT_TRANSLATE_NOOP("core", "Parameter servers that hold the variables, round robin"),
    QT_TRANSLATE_NOOP(
        "core", "How parameter-server variables are cut along axis 0: none, fixed:N, min-size:BYTES, max-size:BYTES"),
    QT_TRANSLATE_NOOP("core", "How gradients are added over the replicas"),
    QT_TRANSLATE_NOOP(
        "core",
        "Gradients are packed for the all-reduce; a new pack begins when one holds more than this; 0: one pack"),
    QT_TRANSLATE_NOOP(
        "core",
        "What the replicas run on: simulated devices with a virtual clock, this processor in real time, or GPUs"),
    QT_TRANSLATE_NOOP("core", "Simulated device, a key of the hardware catalogue"),
    QT_TRANSLATE_NOOP("core", "Simulated link between devices of one host, a key of the hardware catalogue"),
    QT_TRANSLATE_NOOP("core", "Simulated link between hosts, a key of the hardware catalogue"),
    QT_TRANSLATE_NOOP("core",
                      "Devices and links of your own (CSV), in the columns of the built-in catalogue; a key that is "
                      "there already is replaced"),
    QT_TRANSLATE_NOOP(
        "core", "Operands of convolutions and matrix products; sums are float32; auto: bfloat16 on tpu, else float32"),
    QT_TRANSLATE_NOOP(
        "core",
        "A straggler, REPLICA:FACTOR: this replica's modelled computation takes FACTOR times as long; repeatable"),
    QT_TRANSLATE_NOOP("core", "Threads that compute; never changes results"),
    QT_TRANSLATE_NOOP("core", "The examples; auto: MNIST if it is found, else the embedded digits"),
    QT_TRANSLATE_NOOP("core", "Folder with the four IDX files, gzip or not"),
    QT_TRANSLATE_NOOP("core", "Use only the first so many training examples"),
    QT_TRANSLATE_NOOP("core", "Use only the first so many test examples"),
    QT_TRANSLATE_NOOP("core", "Examples in the shuffle buffer; 0: file order"),
    QT_TRANSLATE_NOOP("core", "Examples that one replica gets in a step"),
    QT_TRANSLATE_NOOP("core", "Examples in a step, over all replicas; give this or --batch-per-replica"),
    QT_TRANSLATE_NOOP("core", "Where the examples come from, which decides how tf.data deals a batch"),
    QT_TRANSLATE_NOOP("core", "How the examples are sharded over hosts"),
    QT_TRANSLATE_NOOP("core", "Files that the examples are stored in, for --split file"),
    QT_TRANSLATE_NOOP("core", "Passes over the training examples"),
    QT_TRANSLATE_NOOP("core", "Steps to train, instead of --epochs; for parameter-server updates of all workers"),
    QT_TRANSLATE_NOOP("core", "Keras's Adam or SGD"),
    QT_TRANSLATE_NOOP("core", "Learning rate, before --lr-scaling"),
    QT_TRANSLATE_NOOP("core", "Momentum of sgd"),
    QT_TRANSLATE_NOOP("core", "Scale the learning rate by global batch / 64, or by its root"),
    QT_TRANSLATE_NOOP("core",
                      "Epochs over which the learning rate rises linearly to its value: from the unscaled rate, or "
                      "from 0 where it is not scaled up"),
    QT_TRANSLATE_NOOP("core", "fit: mean of the replicas' means, as Keras; loop: sum over the global batch"),
    QT_TRANSLATE_NOOP("core", "Seed of the initial weights and of the shuffling"),
    QT_TRANSLATE_NOOP("core",
                      "Measure the gradient noise scale in every step, from the gradients of two replicas or more"),
    QT_TRANSLATE_NOOP("core", "Steps between evaluations on the test images; 0: never"),
    QT_TRANSLATE_NOOP("core", "Start from these weights (safetensors, Keras's names)"),
    QT_TRANSLATE_NOOP("core", "Write the trained weights to this file (safetensors)"),
    QT_TRANSLATE_NOOP("core", "Write every step's metrics to this file (JSON lines)"),
    QT_TRANSLATE_NOOP("core", "Write a Chrome trace to this file, for Perfetto"),
    QT_TRANSLATE_NOOP("core", "Write a run file, which the window opens"),
    QT_TRANSLATE_NOOP("core", "Folder for checkpoints"),
    QT_TRANSLATE_NOOP("core", "Steps between checkpoints"),
    QT_TRANSLATE_NOOP(
        "core",
        "Continue from the newest checkpoint in --checkpoint-dir, to the same bits as a run that never stopped"),
    // Their values and defaults. Not here, and so as TensorFlow and the command line have them: the keys of strategies,
    // of the catalogue and of data sets,
    // float32, bfloat16, cpu, cuda, nccl, adam, sgd, fit, loop.
    QT_TRANSLATE_NOOP("core", "auto"),
    QT_TRANSLATE_NOOP("core", "simulated"),
    QT_TRANSLATE_NOOP("core", "ring"),
    QT_TRANSLATE_NOOP("core", "tree"),
    QT_TRANSLATE_NOOP("core", "halving-doubling"),
    QT_TRANSLATE_NOOP("core", "hierarchical"),
    QT_TRANSLATE_NOOP("core", "torus"),
    QT_TRANSLATE_NOOP("core", "one-device"),
    QT_TRANSLATE_NOOP("core", "none"),
    QT_TRANSLATE_NOOP("core", "linear"),
    QT_TRANSLATE_NOOP("core", "sqrt"),
    QT_TRANSLATE_NOOP("core", "digits"),
    QT_TRANSLATE_NOOP("core", "images"),
    QT_TRANSLATE_NOOP("core", "labels"),
    QT_TRANSLATE_NOOP("core", "in-memory"),
    QT_TRANSLATE_NOOP("core", "file"),
    QT_TRANSLATE_NOOP("core", "data"),
    QT_TRANSLATE_NOOP("core", "off"),
    QT_TRANSLATE_NOOP("core", "true"),
    QT_TRANSLATE_NOOP("core", "false"),
    QT_TRANSLATE_NOOP("core", "all"),
    QT_TRANSLATE_NOOP("core", "cores"),
    QT_TRANSLATE_NOOP("core", "once an epoch"),
    QT_TRANSLATE_NOOP("core", "standard places"),
    QT_TRANSLATE_NOOP("core", "batch-per-replica × replicas"),
    // Strategies.
    QT_TRANSLATE_NOOP("core", "Default strategy"),
    QT_TRANSLATE_NOOP("core", "No distribution: the program runs as it is written, on one device."),
    QT_TRANSLATE_NOOP("core", "Everything is pinned to one named device, through the same interface as the others."),
    QT_TRANSLATE_NOOP(
        "core",
        "Every device of one machine keeps its own copy of the weights; gradients are summed by an all-reduce."),
    QT_TRANSLATE_NOOP("core", "Mirrored over several machines: the all-reduce goes over the network as well."),
    QT_TRANSLATE_NOOP(
        "core",
        "TPU cores run one program in lock-step and sum gradients over their own torus, with bfloat16 operands."),
    QT_TRANSLATE_NOOP("core",
                      "The only copy of the weights is on the host; devices read it, and it is updated once a step."),
    QT_TRANSLATE_NOOP("core",
                      "Workers pull weights from parameter servers and push gradients back, each at its own pace."),
    // What devices do and what is sent.
    QT_TRANSLATE_NOOP("core", "conv2d forward"),
    QT_TRANSLATE_NOOP("core", "dense forward"),
    QT_TRANSLATE_NOOP("core", "dense_1 forward"),
    QT_TRANSLATE_NOOP("core", "loss"),
    QT_TRANSLATE_NOOP("core", "dense_1 backward"),
    QT_TRANSLATE_NOOP("core", "dense backward"),
    QT_TRANSLATE_NOOP("core", "conv2d backward"),
    QT_TRANSLATE_NOOP("core", "input"),
    QT_TRANSLATE_NOOP("core", "all-reduce"),
    QT_TRANSLATE_NOOP("core", "broadcast"),
    QT_TRANSLATE_NOOP("core", "pull weights"),
    QT_TRANSLATE_NOOP("core", "push gradients"),
    QT_TRANSLATE_NOOP("core", "add gradients"),
    QT_TRANSLATE_NOOP("core", "update"),
    QT_TRANSLATE_NOOP("core", "wait for replicas"),
    QT_TRANSLATE_NOOP("core", "wait for input"),
    QT_TRANSLATE_NOOP("core", "wait for server"),
    QT_TRANSLATE_NOOP("core", "resolve cluster"),
    QT_TRANSLATE_NOOP("core", "connect to cluster"),
    QT_TRANSLATE_NOOP("core", "initialise TPU system"),
    QT_TRANSLATE_NOOP("core", "construct strategy"),
    QT_TRANSLATE_NOOP("core", "create variables"),
    QT_TRANSLATE_NOOP("core", "wait for weights"),
    QT_TRANSLATE_NOOP("core", "pulls and pushes"),
    QT_TRANSLATE_NOOP("core", "weights"),
    QT_TRANSLATE_NOOP("core", "gradients"),
    QT_TRANSLATE_NOOP("core", "pulled by all"),
    QT_TRANSLATE_NOOP("core", "sent by all"),
    // Parties and wires.
    QT_TRANSLATE_NOOP("core", "parameter device"),
    QT_TRANSLATE_NOOP("core", "input pipeline"),
    QT_TRANSLATE_NOOP("core", "shared memory"),
    QT_TRANSLATE_NOOP("core", "host memory to GPU"),
    QT_TRANSLATE_NOOP("core", "GPU to GPU"),
};

// %1 to %9 stand for values, which may be texts from above. The first that fits is taken.
constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("core", "9 in 10 published steps like this are within %1 … %2 %"),
    QT_TRANSLATE_NOOP("core", "replica %1"), QT_TRANSLATE_NOOP("core", "worker %1"),
    QT_TRANSLATE_NOOP("core", "parameter server %1"), QT_TRANSLATE_NOOP("core", "host %1"),
    QT_TRANSLATE_NOOP("core", "memory of GPU %1"), QT_TRANSLATE_NOOP("core", "%1 forward"),
    QT_TRANSLATE_NOOP("core", "%1 backward"), QT_TRANSLATE_NOOP("core", "--%1 is '%2', but must be %3."),
    QT_TRANSLATE_NOOP("core", "a whole number from %1 to %2"), QT_TRANSLATE_NOOP("core", "a number from %1 to %2"),
    QT_TRANSLATE_NOOP("core", "--%1: unknown %2 '%3': did you mean '%4'? One of: %5"),
    QT_TRANSLATE_NOOP("core", "--%1: unknown %2 '%3'. One of: %4"),
    QT_TRANSLATE_NOOP("core", "unknown setting '%1': did you mean '%2'? One of: %3"),
    QT_TRANSLATE_NOOP("core", "unknown setting '%1'. One of: %2"),
    QT_TRANSLATE_NOOP("core", "--%1 is empty: give a value or leave the option out."),
    QT_TRANSLATE_NOOP("core", "REPLICA:FACTOR, such as 3:2.5 (replica 3 takes 2.5 times as long, from 0.01 to 1000)"),
    QT_TRANSLATE_NOOP("core",
                      "--replicas %1: %2 has exactly one replica. Leave --replicas out, or choose another --strategy."),
    QT_TRANSLATE_NOOP("core",
                      "--hosts %1: %2 gives every worker and every server a host of its own. Leave --hosts out."),
    QT_TRANSLATE_NOOP("core", "--hosts %1: %2 works on one machine. Use --strategy multi-worker-mirrored for several."),
    QT_TRANSLATE_NOOP("core",
                      "--hosts %1 does not divide --replicas %2: every host must have the same number of replicas."),
    QT_TRANSLATE_NOOP(
        "core", "--parameter-servers belongs to --strategy parameter-server. Leave it out, or change the strategy."),
    QT_TRANSLATE_NOOP("core",
                      "--partitioner belongs to --strategy parameter-server. Leave it out, or change the strategy."),
    QT_TRANSLATE_NOOP("core",
                      "--partitioner is '%1', but must be none, fixed:N, min-size:BYTES or max-size:BYTES, with a "
                      "whole number above 0."),
    QT_TRANSLATE_NOOP("core", "--slow %1:…: there are only replicas 0 to %2."),
    QT_TRANSLATE_NOOP(
        "core",
        "--slow needs simulated devices: time on this processor is measured, not modelled. Use --devices simulated."),
    QT_TRANSLATE_NOOP(
        "core", "--slow needs simulated devices: time on a GPU is measured, not modelled. Use --devices simulated."),
    QT_TRANSLATE_NOOP("core",
                      "--global-batch has no meaning for parameter-server, where a batch belongs to one worker's step. "
                      "Use --batch-per-replica."),
    QT_TRANSLATE_NOOP("core",
                      "--batch-per-replica %1 and --global-batch %2 disagree for %3 replicas. Give one of the two."),
    QT_TRANSLATE_NOOP(
        "core", "the global batch of %1 examples is more than 1000000000. Lower --batch-per-replica or --replicas."),
    QT_TRANSLATE_NOOP("core", "--devices cuda: %1. Use --devices simulated."),
    QT_TRANSLATE_NOOP("core", "--devices cuda: %1. Use --devices simulated or --devices cpu."),
    QT_TRANSLATE_NOOP("core", "--devices cpu: TPU cores are always simulated. Leave --devices out."),
    QT_TRANSLATE_NOOP("core", "TPU cores are always simulated"),
    QT_TRANSLATE_NOOP("core", "there is no NVIDIA driver on this machine (libcuda.so.1 cannot be opened)"),
    QT_TRANSLATE_NOOP("core", "the NVIDIA driver is there, and finds no GPU"),
    QT_TRANSLATE_NOOP(
        "core",
        "there is no CUDA module '%1': the program was built without the CUDA toolkit, or came without that file"),
    QT_TRANSLATE_NOOP("core", "the CUDA module '%1' cannot be opened: %2"),
    QT_TRANSLATE_NOOP("core", "GPUs cannot be used: %1. Use --devices simulated or --devices cpu."),
    // Checkpoints, weights, catalogues.
    QT_TRANSLATE_NOOP(
        "core",
        "'%1' is not a StrategyLab checkpoint. Name another --checkpoint-dir, or load plain weights with --init."),
    QT_TRANSLATE_NOOP(
        "core",
        "'%1' is a checkpoint of version %2, and this program reads version %3. Use the program that wrote it."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' is damaged: its checksum does not match. Delete it to resume from an older checkpoint."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' is damaged: its description is not JSON. Delete it to resume from an older checkpoint."),
    QT_TRANSLATE_NOOP("core",
                      "there is no checkpoint in '%1'. Name the right --checkpoint-dir, or leave --resume out."),
    QT_TRANSLATE_NOOP("core",
                      "the checkpoint was written with --%1 %2, and this run has it unset. Resume with the same "
                      "settings, or start anew without --resume."),
    QT_TRANSLATE_NOOP("core",
                      "the checkpoint was written with --%1 %2, and this run has %3. Resume with the same settings, or "
                      "start anew without --resume."),
    QT_TRANSLATE_NOOP("core",
                      "the checkpoint in '%1' was written with other training examples (%2). Name the same --dataset "
                      "and --data-dir, or start anew without --resume."),
    QT_TRANSLATE_NOOP("core",
                      "the checkpoint in '%1' has numbers in '%2' that are not finite: the run had diverged. Start "
                      "anew without --resume, with a lower --learning-rate."),
    QT_TRANSLATE_NOOP("core",
                      "the checkpoint in '%1' does not fit this run (%2). Delete it, or start anew without --resume."),
    QT_TRANSLATE_NOOP("core",
                      "the run has more steps than a run file holds. Train for fewer steps or leave --run out."),
    QT_TRANSLATE_NOOP("core", "'%1' has no tensor '%2' of shape %3. Name a file with the weights of this network."),
    QT_TRANSLATE_NOOP(
        "core",
        "'%1' has a tensor '%2' of shape %3 where this network's is %4. Name a file with the weights of this network."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' has a tensor '%2' whose element %3 is not a finite number. Name a file of weights from a "
                      "run that did not diverge."),
    QT_TRANSLATE_NOOP(
        "core",
        "'%1' has a tensor '%2' that this network does not have. Name a file with the weights of this network."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' %2. The file is damaged or of another kind; name a whole safetensors file of F32 tensors."),
    QT_TRANSLATE_NOOP("core", "'%1' has no column '%2'. Add it to the first line."),
    QT_TRANSLATE_NOOP("core", "'%1', line %2 ('%3'): the cell '%4' %5"),
    QT_TRANSLATE_NOOP("core", "'%1' holds no devices and no links. Give it a header and rows."),
    QT_TRANSLATE_NOOP("core", "'%1', line %2: the row %3"),
    QT_TRANSLATE_NOOP("core", "--%1 has a zero byte: give plain text."),
    QT_TRANSLATE_NOOP("core", "the setting '%1' is neither text nor a number nor true or false: correct it."),
    // GPUs.
    QT_TRANSLATE_NOOP("core", "'%1' is no CUDA module of this program: build both together"),
    QT_TRANSLATE_NOOP("core",
                      "the CUDA module beside the program is of another build (%1 instead of %2): build both together"),
    QT_TRANSLATE_NOOP("core",
                      "the NVIDIA driver is too old: it supports CUDA %1, and CUDA %2 is needed (driver 580 or newer)"),
    QT_TRANSLATE_NOOP("core", "CUDA_VISIBLE_DEVICES=\"%1\" leaves no GPU visible"),
    QT_TRANSLATE_NOOP("core", "CUDA does not start: %1; restart the machine if its driver was updated"),
    QT_TRANSLATE_NOOP("core", "CUDA does not start: %1; see whether nvidia-fabricmanager runs"),
    QT_TRANSLATE_NOOP("core", "CUDA does not start: %1"),
    QT_TRANSLATE_NOOP("core", "%1 has compute capability %2, and 7.5 or newer is needed"),
    QT_TRANSLATE_NOOP("core",
                      "this build has no code for %1, compute capability %2. Build again with that in "
                      "STRATEGYLAB_CUDA_ARCHITECTURES."),
    QT_TRANSLATE_NOOP("core",
                      "the memory of %1 is used up: %2 more were needed and %3 are free. Lower --batch-per-replica or "
                      "--replicas, or end other programs on that GPU."),
    QT_TRANSLATE_NOOP("core",
                      "the memory of %1 is used up (%2). Lower --batch-per-replica or --replicas, or end other "
                      "programs on that GPU."),
    QT_TRANSLATE_NOOP("core",
                      "%1 cannot be used now (%2): another program may have it to itself. End that program, or let "
                      "several use the GPU with `nvidia-smi -c 0`."),
    QT_TRANSLATE_NOOP("core",
                      "the system gives no more page-locked memory: %1 were needed. Lower --batch-per-replica or "
                      "--replicas, or raise the limit (ulimit -l)."),
    QT_TRANSLATE_NOOP(
        "core",
        "the run lost %1 (%2) (%3). What was trained since the last checkpoint is gone. Look at `nvidia-smi` and the "
        "system's log for Xid errors, then start the program again, with --resume where there are checkpoints."),
    QT_TRANSLATE_NOOP("core", "the NCCL library has no %1: install NCCL 2.27 or newer for CUDA 13"),
    QT_TRANSLATE_NOOP("core", "NCCL failed in %1: %2. Set NCCL_DEBUG=WARN to see more, or train with --reducer ring."),
    QT_TRANSLATE_NOOP("core",
                      "a kernel of the CUDA module wrote outside its output: do not train with this build, report it."),
    QT_TRANSLATE_NOOP("core", "--reducer %1: %2 reduces nothing over replicas. Leave --reducer out."),
    QT_TRANSLATE_NOOP("core", "--reducer %1: %2 cannot use it. One of: %3."),
    QT_TRANSLATE_NOOP("core", "--reducer %1: NCCL works between GPUs, and --devices cpu has none. Use --reducer ring."),
    QT_TRANSLATE_NOOP("core",
                      "--reducer %1: NCCL needs a GPU for each replica, and there are %2 for %3 replicas. Use "
                      "--reducer ring, or fewer --replicas."),
    QT_TRANSLATE_NOOP(
        "core", "--momentum belongs to --optimizer sgd; Adam has its own. Leave it out, or change the optimizer."),
    QT_TRANSLATE_NOOP("core", "--files belongs to --split file: examples in memory are in no file. Add --split file."),
    QT_TRANSLATE_NOOP("core", "--resume needs --checkpoint-dir, the folder with the checkpoints."),
    QT_TRANSLATE_NOOP("core", "--init and --resume both say where the weights come from. Give one of the two."),
    QT_TRANSLATE_NOOP("core", "--checkpoint-every needs --checkpoint-dir, the folder for the checkpoints."),
    QT_TRANSLATE_NOOP("core",
                      "--auto-shard file needs examples that are read from files, and --split in-memory reads none "
                      "(TensorFlow: NotFoundError): use --split file, or --auto-shard data"),
    QT_TRANSLATE_NOOP("core",
                      "--replicas %1 with --batch-per-replica %2 needs about %3 of memory, and this machine has %4. "
                      "Lower one of the two."),
    QT_TRANSLATE_NOOP("core",
                      "--%1-examples %2 cannot be had: %3 has %4 %1 examples. Give a number from 1 to %5, or leave the "
                      "option out for all."),
    QT_TRANSLATE_NOOP(
        "core",
        "--data-dir '%1' has no meaning for digits, which are inside the program. Leave it out, or ask for mnist."),
    QT_TRANSLATE_NOOP("core",
                      "%1 is not on this machine. Looked in:%2\nRun 'strategylab-cli data fetch %3', or name the "
                      "folder that holds it with --data-dir."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' does not hold %2. Wanted: %3 (with or without .gz). Looked in:%4\nRun 'strategylab-cli "
                      "data fetch %5', or name the folder that holds it with --data-dir."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' does not hold %2. Wanted: %3 (with or without .gz) or mnist.npz. Looked in:%4\nRun "
                      "'strategylab-cli data fetch %5', or name the folder that holds it with --data-dir."),
    QT_TRANSLATE_NOOP("core", "'%1' is not a valid IDX file of %2: %3 Fetch or copy the file anew."),
    QT_TRANSLATE_NOOP("core", "'%1' holds %2 images and '%3' holds %4 labels. Put two files of one set there."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' and '%2' hold as many %3, and nothing tells which of them is to train with. Put 'train' "
                      "and 'test' into their names."),
    QT_TRANSLATE_NOOP("core",
                      "'%1' lacks %2 (with or without .gz). A data set is four IDX files: images and labels to train "
                      "with, images and labels to test with. Give the four files where they have other names."),
    QT_TRANSLATE_NOOP("core",
                      "these are %1 files. A data set is four IDX files: images and labels to train with, images and "
                      "labels to test with. Give these four, or a folder with them."),
    QT_TRANSLATE_NOOP("core",
                      "%1 of these files hold images and %2 hold labels. A data set is four IDX files: images and "
                      "labels to train with, images and labels to test with."),
    QT_TRANSLATE_NOOP("core", "cannot make the folder '%1': %2. Check the permissions of your home folder."),
    QT_TRANSLATE_NOOP("core", "cannot make the folder '%1': %2. Name a folder that may be written to."),
    QT_TRANSLATE_NOOP("core", "there is a file of that name"),
    QT_TRANSLATE_NOOP("core",
                      "cannot write '%1': %2. Check that the folder may be written to and the disk has room, or name "
                      "another folder."),
    QT_TRANSLATE_NOOP("core", "cannot write '%1': %2. Check the folder's permissions, or name another folder."),
    QT_TRANSLATE_NOOP("core",
                      "cannot fetch %1 of %2:%3\nCheck the network connection and fetch it again; it continues where "
                      "it stopped."),
    QT_TRANSLATE_NOOP("core", "'%1' is in the way: %2 Move it away, then fetch again."),
    QT_TRANSLATE_NOOP("core", "it has %1 bytes instead of %2."),
    QT_TRANSLATE_NOOP("core", "it is shorter than its header."), QT_TRANSLATE_NOOP("core", "it holds images."),
    QT_TRANSLATE_NOOP("core", "it holds labels."), QT_TRANSLATE_NOOP("core", "it holds no examples."),
    QT_TRANSLATE_NOOP("core", "it starts with %1 instead of %2."),
    QT_TRANSLATE_NOOP("core", "its header says %1 examples, and at most %2 are read."),
    QT_TRANSLATE_NOOP("core", "its header says %1 examples, and there are bytes for %2 at most."),
    QT_TRANSLATE_NOOP("core", "bytes follow the %1 examples its header tells of."),
    QT_TRANSLATE_NOOP("core", "its images are %1×%2, and only 28×28 are read."),
    QT_TRANSLATE_NOOP("core", "label %1 is %2, not one of 0 to 9."),
    QT_TRANSLATE_NOOP("core", "'%1' is cut short: its gzip stream has no end. Fetch or copy the file anew."),
    QT_TRANSLATE_NOOP("core", "'%1' has bytes after the end of its gzip stream. Fetch or copy the file anew."),
    QT_TRANSLATE_NOOP("core", "'%1' is damaged: its gzip stream cannot be unpacked (%2). Fetch or copy the file anew."),
    QT_TRANSLATE_NOOP(
        "core", "'%1' unpacks to more than %2, more than any valid file of its kind. Fetch or copy the right file."),
    QT_TRANSLATE_NOOP("core", "not enough memory to unpack '%1'. Close other programs and try again."),
    QT_TRANSLATE_NOOP("core", "cannot open '%1': %2. Check the name and the permissions."),
    QT_TRANSLATE_NOOP(
        "core",
        "cannot write '%1': %2. Check that the folder exists, may be written to and has room, or name another file."),
    QT_TRANSLATE_NOOP("core", "cannot write '%1': it is a folder. Name a file."),
    QT_TRANSLATE_NOOP("core", "'%1' is a folder, not a file. Name a file inside it."),
    QT_TRANSLATE_NOOP("core", "'%1' is larger than %2, more than any valid file of its kind. Name the right file."),
    QT_TRANSLATE_NOOP("core", "reading '%1' failed: %2. Check the disk."),
    QT_TRANSLATE_NOOP(
        "core",
        "%1: not valid JSON at byte %2. The file is damaged or of another kind; get it again or name another one."),
    QT_TRANSLATE_NOOP("core",
                      "%1: not valid JSON. The file is damaged or of another kind; get it again or name another one."),
    QT_TRANSLATE_NOOP("core",
                      "'%1': this is no experiment of StrategyLab. Name a file that was saved with File > Save."),
    QT_TRANSLATE_NOOP("core",
                      "'%1': the file was written by a newer StrategyLab (version %2 of the format, and this program "
                      "reads %3). Update StrategyLab; the file is left as it is."),
    QT_TRANSLATE_NOOP("core", "'%1': the key 'config' with the settings is missing. Save the experiment again."),
    QT_TRANSLATE_NOOP("core", "'%1' ends too early: the recording was cut off. Record the run again."),
    QT_TRANSLATE_NOOP("core", "%1: '%2' must be %3. The file is damaged or of another kind; record the run again."),
    QT_TRANSLATE_NOOP("core", "a whole number, not negative"),
    QT_TRANSLATE_NOOP("core",
                      "the run has diverged: there are numbers among its weights that are not finite, and what nobody "
                      "could read again is not written: %1. Train anew with a lower --learning-rate."),
    QT_TRANSLATE_NOOP("core",
                      "the session cannot be kept: '%1' would be larger than what is read (%2). Save the run as a "
                      "recording."),
    QT_TRANSLATE_NOOP("core",
                      "the session cannot be kept: its settings, names and notes are larger than what is read (%1). "
                      "Shorten the notes."),
    QT_TRANSLATE_NOOP("core", "'%1': the experiment is larger than what is read (%2). Shorten its note."),
    QT_TRANSLATE_NOOP("core", "the experiment's settings are too long for a link. Save the experiment as a file."),
    QT_TRANSLATE_NOOP("core",
                      "'%1': the run has more devices and links, or longer notes, than a run file holds. Use fewer "
                      "replicas and servers, or leave --run out."),
    QT_TRANSLATE_NOOP("core", "%1: this is not a run file. Name a file that was written with --run."),
    QT_TRANSLATE_NOOP("core",
                      "%1: the file was written by a newer StrategyLab (version %2 of the format, and this program "
                      "reads %3). Update StrategyLab or record the run again."),
    QT_TRANSLATE_NOOP("core",
                      "there is no link to an experiment in this text: one begins with '%1'. Copy one with File > Copy "
                      "experiment link."),
    QT_TRANSLATE_NOOP("core", "this link is longer than any link to an experiment. Copy it again."),
    QT_TRANSLATE_NOOP("core", "the part '%1' of this link has no value. Copy the whole link."),
    QT_TRANSLATE_NOOP("core",
                      "%1 has no list of traceEvents, so it is no Chrome trace. Open a trace that 'Export trace' or "
                      "--trace has written."),
    QT_TRANSLATE_NOOP("core",
                      "%1 was not written by this program (or by a version before traces could be opened again). Open "
                      "a trace that 'Export trace' or --trace has written."),
    QT_TRANSLATE_NOOP("core", "%1 has no events to show. Open a trace that 'Export trace' or --trace has written."),
    QT_TRANSLATE_NOOP("core",
                      "'%1', line 1: the columns are not those of runs. Save values from a chart as CSV and use that "
                      "file."),
    QT_TRANSLATE_NOOP("core", "'%1', line 1: no values follow the names of the columns. Save the values as CSV again."),
    QT_TRANSLATE_NOOP("core", "'%1', line %2: '%3' in the column '%4' is no number. Save the values as CSV again."),
    QT_TRANSLATE_NOOP("core", "'%1', line %2: step %3 comes after step %4. Save the values as CSV again."),
    QT_TRANSLATE_NOOP("core", "%1 devices are outside what can be simulated. Give 1 to %2."),
    QT_TRANSLATE_NOOP(
        "core", "%1 devices cannot be spread evenly over %2 hosts. Choose a number of hosts that divides the devices."),
    QT_TRANSLATE_NOOP("core",
                      "%1 replicas do not fit on a cluster of %2 devices. Give it more devices, or fewer replicas."),
    QT_TRANSLATE_NOOP("core", "it has more than %1 devices, too many to simulate. Give fewer."),
    QT_TRANSLATE_NOOP("core", "each host of '%1' has %2 devices. Give it 1 to %3."),
    QT_TRANSLATE_NOOP("core", "each host of '%1' has %2 NICs. Give it 1 to %3."),
    QT_TRANSLATE_NOOP("core", "there is no step %1 in a run of %2 steps. Choose one from 1 to %3."),
    QT_TRANSLATE_NOOP("core",
                      "step %1 lies before step %2, with which this run resumed, and is not kept. Choose a later one."),
    QT_TRANSLATE_NOOP("core", "'%1': 'view' must be an object. Leave it out, or save the experiment again."),
    QT_TRANSLATE_NOOP(
        "core", "'%1': 'step' in 'view' must be a whole number from 0. Leave it out, or save the experiment again."),
    QT_TRANSLATE_NOOP(
        "core", "'%1': 'part' in 'view' must be a number from 0 to 1. Leave it out, or save the experiment again."),
    QT_TRANSLATE_NOOP("core", "'%1': '%2' in 'view' must be a name. Leave it out, or save the experiment again."),
    QT_TRANSLATE_NOOP("core", "'%1': %2"),  // what a file's settings cannot be; after all others that begin so
};

}  // namespace

std::span<const char* const> coreTexts() {
  return kTexts;
}

std::span<const char* const> coreSentences() {
  return kSentences;
}

}  // namespace lab
