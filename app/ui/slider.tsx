import { useEffect, useState, type KeyboardEvent } from 'react';
import { Slider as AriaSlider, SliderFill, SliderThumb, SliderTrack, Label } from 'react-aria-components/Slider';
import { cx } from './cx.ts';
import field from './field.module.css';
import styles from './slider.module.css';
import { formatNumber } from '../lib/format-number.ts';

type SliderProps = {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Shown under the track, as "$10,000" or "$50,000+". */
  readonly format: (value: number) => string;
  /** How the value is spoken with the handle. */
  readonly spokenAs?: Intl.NumberFormatOptions;
  /** Inside the number box, before the number. */
  readonly prefix?: string;
  readonly isDisabled?: boolean;
};

/** A handle to drag, the same by arrow keys, and a box to type the number: three ways to one value. */
export function Slider({
  label,
  value,
  onChange,
  min,
  max,
  step,
  format,
  spokenAs,
  prefix,
  isDisabled = false,
}: SliderProps) {
  const [typed, setTyped] = useState(formatNumber(value));
  useEffect(() => setTyped(formatNumber(value)), [value]);

  const settle = () => {
    const digits = typed.replaceAll(/[^\d.]/g, '');
    const wanted = /\d/.test(digits) ? Number.parseFloat(digits) : value;
    const settled = Math.min(max, Math.max(min, min + Math.round((wanted - min) / step) * step));
    setTyped(formatNumber(settled));
    if (settled !== value) onChange(settled);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    settle();
  };

  return (
    <AriaSlider
      className={cx(styles.slider)}
      value={value}
      onChange={onChange}
      minValue={min}
      maxValue={max}
      step={step}
      isDisabled={isDisabled}
      {...(spokenAs === undefined ? {} : { formatOptions: spokenAs })}
    >
      <div className={styles.head}>
        <Label className={cx(field.label)}>{label}</Label>
        <span className={styles.box}>
          {prefix !== undefined && <span aria-hidden="true">{prefix}</span>}
          <input
            className={styles.input}
            aria-label={`${label}, type a number`}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="done"
            disabled={isDisabled}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={settle}
            onKeyDown={onKeyDown}
          />
        </span>
      </div>
      <SliderTrack className={cx(styles.track)}>
        <SliderFill className={cx(styles.fill)} />
        <SliderThumb className={cx(styles.thumb)} />
      </SliderTrack>
      <div className={styles.ends}>
        <span>{format(min)}</span>
        <output className={styles.now}>{format(value)}</output>
        <span>{format(max)}</span>
      </div>
    </AriaSlider>
  );
}
