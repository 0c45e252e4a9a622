// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own pictures in the Data dialog: a folder is read as a run would read it, and shown; afterwards only its
// name is kept.
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>
#include <array>
#include <utility>

#include "core/config/run_settings.h"
#include "core/data/picture_folder.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "ui/data/data_dialog.h"
#include "ui/data/data_preview.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/experiment.h"

namespace lab {

void DataDialog::chooseFolder() {
  auto* dialog = new QFileDialog(this, tr("A folder of pictures"));
  dialog->setObjectName(QStringLiteral("dataFolder"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &DataDialog::openPictures);
  dialog->open();
}

// Reads the pictures as a run with the present network would. Only the preview is kept.
void DataDialog::openPictures(const QString& folder) {
  if (background_.busy()) return;
  forgetOwn();
  RunSettings config = withoutOutputs(experiment_.asked());
  config.dataset = "colour";
  config.dataDir = folder.toStdString();
  struct Answer {
    DataSummary summary;
    QStringList leftOut;
    std::size_t classes = 0;
  };
  auto answer = std::make_shared<Answer>();
  background_.run(
      [answer, config] {
        std::array<std::int64_t, 3> shape{32, 32, 3};
        if (const std::vector<std::int64_t> input = networkOf(config)->input(); input.size() == shape.size())
          std::ranges::copy(input, shape.begin());
        const PictureFolder read = readPictureFolder(config.dataDir, shape);
        std::vector<std::string> names;
        for (const PictureClass& each : read.classes) names.push_back(each.name);
        answer->classes = names.size();
        answer->summary = summaryOf(read.train, read.test, std::ssize(read.classes), std::move(names));
        for (const LeftOutFile& file : read.leftOut)
          answer->leftOut << QStringLiteral("%1: %2").arg(QString::fromStdString(file.path), coreText(file.why));
      },
      [this, answer, folder](const QString& failure) {
        if (!failure.isEmpty()) return say(failure, true);
        pictures_ = folder.toStdString();
        const std::int64_t pictures = answer->summary.train + answer->summary.test;
        preview_->show(std::move(answer->summary));
        showLeftOut(answer->leftOut);
        useOwn_->setEnabled(true);
        useOwn_->setFocus();
        QString words = tr("Checked: %1 pictures of %2 classes in %3.")
                            .arg(countText(pictures), countText(static_cast<std::int64_t>(answer->classes)),
                                 QDir::toNativeSeparators(folder));
        if (!answer->leftOut.isEmpty()) words += QLatin1Char(' ') + tr("Below the preview: what is left out, and why.");
        say(words, false);
      });
}

void DataDialog::showLeftOut(const QStringList& files) {
  constexpr int kMost = 1000;
  leftOut_->clear();
  leftOut_->addItems(files.mid(0, kMost));
  if (files.size() > kMost) leftOut_->addItem(tr("and %1 more").arg(countText(files.size() - kMost)));
  leftOutTitle_->setText(tr("%Ln files are left out:", nullptr, plural(files.size())));
  leftOutTitle_->setVisible(!files.isEmpty());
  leftOut_->setVisible(!files.isEmpty());
}

}  // namespace lab
