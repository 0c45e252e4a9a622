// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a file or a folder, in one way everywhere.
#pragma once

#include <QString>

#include <functional>

class QFileDialog;
class QObject;
class QWidget;

namespace lab {

struct FileQuestion {
  enum class Kind { Open, OpenSeveral, Folder, Save };
  Kind kind = Kind::Open;
  QString title, filters = {};  // no filters: all files
  // A path, or to save a file's name. A name gets a number if the folder has such a file.
  QString proposed = {};
  const char* name = "";  // the dialog's
};

// Opens a dialog with no event loop of its own, so that training and the window go on. It begins beside the proposed
// path, or else in the folder of the last answer. To save, the suffix is the chosen filter's. `then` gets the answer,
// unless it is empty and the caller listens to the dialog, which closes when `receiver` or `parent` is gone.
QFileDialog& askForPath(QWidget* parent, QObject* receiver, const FileQuestion& question,
                        const std::function<void(const QString&)>& then);

}  // namespace lab
