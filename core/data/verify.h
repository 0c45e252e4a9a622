// SPDX-License-Identifier: GPL-3.0-or-later
// The published sizes and checksums of data sets, and checks of files against them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/data/data_folders.h"

namespace lab {

// One published file. Either checksum may be empty: for MNIST only the content's is known, as mirrors compressed it
// differently; for Fashion-MNIST only the archive's is published.
struct RemoteFile {
  IdxFileName file;
  std::int64_t contentBytes = 0;  // decompressed
  std::string sha256OfContent;
  std::string md5OfArchive;
};

// A set that is published as one archive, tar in gzip.
struct RemoteArchive {
  struct Member {
    std::string name;
    std::int64_t bytes = 0;
    std::string md5;
  };
  std::string name;
  std::int64_t bytes = 0;
  std::string md5;
  std::vector<Member> members;  // the members to unpack
};

struct RemoteDataset {
  std::string name;
  std::vector<std::string> mirrors;  // tried in turn; a file's address is its name and ".gz" after one of these
  std::array<RemoteFile, 4> files;   // in the order of kIdxFiles; or else
  std::optional<RemoteArchive> archive = {};  // the archive's name includes its ending
};

const RemoteDataset& remoteDataset(const std::string& name);  // mnist, fashion-mnist or cifar10, else UserError

// Returns the most bytes that the file's archive can have: gzip adds little even to incompressible data.
std::int64_t maxArchiveBytes(const RemoteFile& file);

enum class FileState {
  Ok,
  Missing,
  Wrong,
  Unchecked,  // unpacked Fashion-MNIST without its archive beside it: no checksum is published for it
};

struct FileReport {
  std::string file;  // the name found, or the expected name if it is missing
  FileState state = FileState::Missing;
  Message detail;  // why the file is not Ok, a sentence
};

// Never throws because of a file's content.
FileReport checkFile(const std::filesystem::path& path, const RemoteFile& published);
FileReport checkSum(const std::filesystem::path& path, std::int64_t bytes, const std::string& md5);

struct FolderReport {
  std::string dataset;  // mnist, fashion-mnist, cifar10; "" if no file was recognised
  std::vector<FileReport> files;
  bool ok() const;  // recognised, with nothing missing or wrong
};

// Checks the files in exactly this folder that loadDataset would use; a mnist.npz is judged by its examples. CIFAR-10
// may be in the folder into which its archive unpacks, in the binary or the Python version. Throws a UserError if this
// is not a folder.
FolderReport verifyFolder(const std::filesystem::path& folder);

}  // namespace lab
