// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-hdf5: converts the weights of a .keras file (model.weights.h5) to safetensors, and back, from standard
// input to standard output. A malicious file can make HDF5's library crash or take all memory, so this program is
// started for one file, with limits, and ignores a file's references to other files. It prints no messages: its exit
// code says what is wrong (core/keras/keras_weights.cpp).
#include <hdf5.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

enum Exit {
  kDone = 0,
  kUsage = 2,
  kNoHdf5 = 3,
  kNoLayers = 4,
  kTooMuch = 5,
  kForeign = 6,
  kUnreadable = 7,
  kNotWritten = 8
};

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 28;
constexpr hsize_t kMostMembers = 4096;  // of a group; a network has at most 1,024 layers

using Bytes = std::vector<char>;

struct Failure {
  Exit code;
};

// An HDF5 handle, closed by `Close`.
template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  Handle(hid_t id, Exit otherwise) : id_(id) {
    if (id < 0) throw Failure{otherwise};
  }
  ~Handle() { Close(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};
using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Properties = Handle<H5Pclose>;
using Attribute = Handle<H5Aclose>;

struct Tensor {
  std::string name;  // "conv2d/0"
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
};

Bytes standardInput() {
  Bytes bytes;
  char piece[1 << 16];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, stdin))
    bytes.insert(bytes.end(), piece, piece + count);
  return bytes;
}

void toStandardOutput(const void* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, stdout) != count) throw Failure{kNotWritten};
}

// Returns the names in a group. Refuses a link out of the file, which would name other files to be read.
std::vector<std::string> membersOf(hid_t group) {
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0) throw Failure{kUnreadable};
  if (info.nlinks > kMostMembers) throw Failure{kTooMuch};
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256];
    const ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    if (length <= 0 || length >= static_cast<ssize_t>(sizeof name)) throw Failure{kUnreadable};
    H5L_info_t link;
    if (H5Lget_info(group, name, &link, H5P_DEFAULT) < 0) throw Failure{kUnreadable};
    if (link.type != H5L_TYPE_HARD) throw Failure{kForeign};
    names.emplace_back(name);
  }
  return names;
}

bool has(hid_t group, const char* name) {
  return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

// Returns false if the data set has no floating point numbers (a generator's state).
bool readTensor(hid_t group, const std::string& name, std::uint64_t& elements, Tensor& tensor) {
  const Dataset dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), kUnreadable);
  const Type type(H5Dget_type(dataset), kUnreadable);
  if (H5Tget_class(type) != H5T_FLOAT) return false;
  const Properties created(H5Dget_create_plist(dataset), kUnreadable);
  if (H5Pget_external_count(created) != 0 || H5Pget_layout(created) == H5D_VIRTUAL) throw Failure{kForeign};
  const Space space(H5Dget_space(dataset), kUnreadable);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > 8) throw Failure{kUnreadable};
  hsize_t extents[8] = {};
  if (rank > 0 && H5Sget_simple_extent_dims(space, extents, nullptr) != rank) throw Failure{kUnreadable};
  std::uint64_t size = 1;
  for (int i = 0; i < rank; ++i) {
    if (extents[i] > kMostElements || (size *= extents[i]) > kMostElements) throw Failure{kTooMuch};
    tensor.shape.push_back(extents[i]);
  }
  if ((elements += size) > kMostElements) throw Failure{kTooMuch};
  tensor.values.resize(size);
  if (size > 0 && H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.values.data()) < 0)
    throw Failure{kUnreadable};
  return true;
}

// Reads layers/NAME/vars/N of each layer, as Keras 3 stores them.
std::vector<Tensor> tensorsIn(hid_t file) {
  (void)membersOf(file);  // refuses links among them
  if (!has(file, "layers")) throw Failure{kNoLayers};
  const Group layers(H5Gopen2(file, "layers", H5P_DEFAULT), kNoLayers);
  std::vector<Tensor> tensors;
  std::uint64_t elements = 0;
  for (const std::string& layer : membersOf(layers)) {
    const Group each(H5Gopen2(layers, layer.c_str(), H5P_DEFAULT), kUnreadable);
    (void)membersOf(each);  // refuses links among them
    if (!has(each, "vars")) continue;
    const Group vars(H5Gopen2(each, "vars", H5P_DEFAULT), kUnreadable);
    for (const std::string& variable : membersOf(vars)) {
      Tensor tensor{layer + "/" + variable, {}, {}};
      if (readTensor(vars, variable, elements, tensor)) tensors.push_back(std::move(tensor));
    }
  }
  return tensors;
}

void writeSafetensors(const std::vector<Tensor>& tensors) {
  nlohmann::json header = nlohmann::json::object();
  std::uint64_t at = 0;
  for (const Tensor& tensor : tensors) {
    const std::uint64_t end = at + tensor.values.size() * sizeof(float);
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {at, end}}};
    at = end;
  }
  const std::string text = header.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  const std::uint64_t length = text.size();
  toStandardOutput(&length, sizeof length);
  toStandardOutput(text.data(), text.size());
  for (const Tensor& tensor : tensors)
    if (!tensor.values.empty()) toStandardOutput(tensor.values.data(), tensor.values.size() * sizeof(float));
  if (std::fflush(stdout) != 0) throw Failure{kNotWritten};
}

void read() {
  Bytes bytes = standardInput();
  const Properties access(H5Pcreate(H5P_FILE_ACCESS), kNoHdf5);
  constexpr std::size_t kStep = 1 << 20;
  if (bytes.empty() || H5Pset_fapl_core(access, kStep, false) < 0 ||
      H5Pset_file_image(access, bytes.data(), bytes.size()) < 0)
    throw Failure{kNoHdf5};
  const File file(H5Fopen("weights", H5F_ACC_RDONLY, access), kNoHdf5);
  bytes = {};
  writeSafetensors(tensorsIn(file));
}

void addName(hid_t vars, const std::string& name) {
  const Type type(H5Tcopy(H5T_C_S1), kNotWritten);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Space scalar(H5Screate(H5S_SCALAR), kNotWritten);
  const Attribute attribute(H5Acreate2(vars, "name", type, scalar, H5P_DEFAULT, H5P_DEFAULT), kNotWritten);
  const char* text = name.c_str();
  if (H5Awrite(attribute, type, &text) < 0) throw Failure{kNotWritten};
}

// Input from the main program: safetensors of tensors named "conv2d/0", and the names of all layers in the metadata
// "layers".
struct Sent {
  nlohmann::json header;
  const char* data = nullptr;
  std::uint64_t bytes = 0;
};

Sent sentIn(const Bytes& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw Failure{kUsage};
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) throw Failure{kUsage};
  const char* text = bytes.data() + sizeof length;
  return {nlohmann::json::parse(text, text + length), text + length, bytes.size() - sizeof length - length};
}

void writeTensor(hid_t vars, const std::string& name, const nlohmann::json& tensor, const Sent& sent) {
  const auto shape = tensor.at("shape").get<std::vector<hsize_t>>();
  const auto begin = tensor.at("data_offsets").at(0).get<std::uint64_t>();
  const auto end = tensor.at("data_offsets").at(1).get<std::uint64_t>();
  std::uint64_t size = sizeof(float);
  for (const hsize_t extent : shape) size *= extent;
  if (begin > end || end > sent.bytes || end - begin != size) throw Failure{kUsage};
  const Space space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), kNotWritten);
  const Properties created(H5Pcreate(H5P_DATASET_CREATE), kNotWritten);
  H5Pset_obj_track_times(created, false);  // the bytes depend on the weights alone
  const Dataset dataset(H5Dcreate2(vars, name.c_str(), H5T_IEEE_F32LE, space, H5P_DEFAULT, created, H5P_DEFAULT),
                        kNotWritten);
  const std::vector<char> values(sent.data + begin, sent.data + end);
  if (H5Dwrite(dataset, H5T_IEEE_F32LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) throw Failure{kNotWritten};
}

void writeLayers(hid_t file, const Sent& sent) {
  const Group layers(H5Gcreate2(file, "layers", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), kNotWritten);
  const Group own(H5Gcreate2(file, "vars", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), kNotWritten);
  addName(own, "sequential");
  for (const nlohmann::json& each :
       nlohmann::json::parse(sent.header.at("__metadata__").at("layers").get<std::string>())) {
    const auto layer = each.get<std::string>();
    const Group group(H5Gcreate2(layers, layer.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), kNotWritten);
    const Group vars(H5Gcreate2(group, "vars", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), kNotWritten);
    addName(vars, layer);
    for (int i = 0; sent.header.contains(layer + "/" + std::to_string(i)); ++i)
      writeTensor(vars, std::to_string(i), sent.header.at(layer + "/" + std::to_string(i)), sent);
  }
}

void write() {
  const Bytes bytes = standardInput();
  const Sent sent = sentIn(bytes);
  const Properties access(H5Pcreate(H5P_FILE_ACCESS), kNotWritten);
  constexpr std::size_t kStep = 1 << 20;
  if (H5Pset_fapl_core(access, kStep, false) < 0) throw Failure{kNotWritten};
  const File file(H5Fcreate("weights", H5F_ACC_TRUNC, H5P_DEFAULT, access), kNotWritten);
  writeLayers(file, sent);
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) throw Failure{kNotWritten};
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0) throw Failure{kNotWritten};
  Bytes image(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file, image.data(), image.size()) != size) throw Failure{kNotWritten};
  toStandardOutput(image.data(), image.size());
  if (std::fflush(stdout) != 0) throw Failure{kNotWritten};
}

}  // namespace

int main(int count, char** arguments) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // HDF5 prints no errors on the terminal
  H5PLset_loading_state(0);                     // HDF5 loads no filter from a plugin folder
  const std::string verb = count == 2 ? arguments[1] : "";
  try {
    if (verb == "read")
      read();
    else if (verb == "write")
      write();
    else
      return kUsage;
  } catch (const Failure& failure) {
    return failure.code;
  } catch (const std::bad_alloc&) {
    return kTooMuch;
  } catch (const std::exception&) {
    return kUsage;
  }
  return kDone;
}
