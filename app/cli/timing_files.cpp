// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "app/cli/options.h"
#include "core/base/file.h"
#include "core/options/network_of.h"

namespace lab::cli {

std::string textOfFile(const std::string& file, std::int64_t maxBytes) {
  const std::vector<std::uint8_t> bytes = readFile(file, maxBytes);
  return {bytes.begin(), bytes.end()};
}

TimingFiles addTimingFiles(CLI::App& app, bool withCatalogue) {
  return {
      withCatalogue ? addValue(app, "--catalogue", "FILE",
                               "Custom devices and links, in the columns of the built-in catalogue; a row with an "
                               "existing key replaces the built-in one.")
                    : nullptr,
      addValue(app, "--constants", "FILE", "Other values for constants of the timing model: key,value,unit,source.")};
}

Catalogue catalogueOf(const TimingFiles& files) {
  const std::optional<std::string> file = files.catalogue == nullptr ? std::nullopt : textOf(files.catalogue);
  return file ? Catalogue::builtIn().mergedWith(Catalogue::parse(textOfFile(*file), *file)) : Catalogue::builtIn();
}

TimingConstants constantsOf(const TimingFiles& files) {
  const std::optional<std::string> file = textOf(files.constants);
  return file ? TimingConstants::builtIn().mergedWith(TimingConstants::parse(textOfFile(*file), *file), *file)
              : TimingConstants::builtIn();
}

}  // namespace lab::cli
